import { recentUses } from '../../contract/recent-uses.ts'
import { isManagedSource } from '../../contract/settings.ts'
import type { AppView } from '../../contract/views.ts'
import type { Agent, AgentState } from '../agent/agent.ts'
import type { SignInNeeds, ToolUsage } from '../agent/tools.ts'
import type { Clock } from '../base/clock.ts'
import type { Subscribe } from '../base/listeners.ts'
import type { AppSetting } from '../settings/app-setting.ts'

type SwitchedAgent = Pick<Agent, 'state' | 'onChange' | 'start' | 'turnOff' | 'stop'> & {
  readonly usage: Pick<ToolUsage, 'list' | 'subscribe'>
  readonly needs: Pick<SignInNeeds, 'list' | 'subscribe'>
}

interface AgentPorts {
  readonly agent: SwitchedAgent
  readonly clock: Pick<Clock, 'wall'>
  readonly setting: AppSetting<boolean>
  /** True if the user is also told of tools that asked while nobody was signed in, and that didn't wait for a token. */
  readonly announcesAsking: Pick<AppSetting<boolean>, 'value'>
  readonly onPolicyChange: Subscribe
  readonly platform: NodeJS.Platform
  readonly command?: string | undefined
  readonly shown: () => string
  readonly problem: (state: AgentState) => string | undefined
  readonly log: {
    readonly state: (state: AgentState) => void
    /** SECURITY: logs that a tool has received a token, but not which tool. */
    readonly firstUse: () => void
    /** Logs that tools can connect again, after the socket or the pipe's file was deleted or replaced. */
    readonly restored: () => void
  }
  readonly changed: () => void
}

export class AgentFeature {
  readonly #ports: AgentPorts
  #undo: readonly (() => void)[] = []
  #isUsed = false

  constructor(ports: AgentPorts) {
    this.#ports = ports
  }

  view(): Pick<AppView, 'agent' | 'needs'> {
    const { agent, setting, announcesAsking, platform, command, problem, shown } = this.#ports
    const said = setting.value ? problem(agent.state) : undefined
    return {
      agent: {
        ...(said === undefined ? {} : { problem: said }),
        ...(command === undefined ? {} : { command }),
        ...(platform === 'win32' ? { shell: 'powershell' as const } : {}),
        uses: agent.usage.list(shown()),
      },
      needs: agent.needs.list().filter(({ waiting }) => waiting.length > 0 || announcesAsking.value),
    }
  }

  /** True if a tool got a token in the last ten minutes or listens. By default, of the shown connection. */
  isInUse(connection = this.#ports.shown()): boolean {
    const { agent, clock } = this.#ports
    return recentUses(agent.usage.list(connection), clock.wall()).length > 0
  }

  async start(): Promise<void> {
    const { agent, onPolicyChange } = this.#ports
    this.#undo = [
      agent.usage.subscribe(() => this.#used()),
      agent.needs.subscribe(this.#ports.changed),
      agent.onChange((change) => this.#listened(change)),
      onPolicyChange(() => void this.apply()),
    ]
    await this.apply()
  }

  async stop(): Promise<void> {
    const { agent, log } = this.#ports
    for (const undo of this.#undo) undo()
    await agent.stop()
    log.state(agent.state)
  }

  async apply(): Promise<void> {
    const { agent, setting, log, changed } = this.#ports
    if (setting.value) await agent.start()
    else await agent.turnOff(isManagedSource(setting.source) ? 'administrator' : 'user')
    log.state(agent.state)
    changed()
  }

  #listened(change: 'lost' | 'restored'): void {
    const { agent, log, changed } = this.#ports
    if (change === 'restored') log.restored()
    log.state(agent.state)
    changed()
  }

  #used(): void {
    if (!this.#isUsed) this.#ports.log.firstUse()
    this.#isUsed = true
    this.#ports.changed()
  }
}
