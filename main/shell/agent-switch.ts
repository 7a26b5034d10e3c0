import type { Outcome } from '../../contract/failures.ts'
import type { AgentView, ToolUse } from '../../contract/views.ts'
import type { AppSetting } from '../settings/app-setting.ts'

/** The agent as far as it is switched and shown. */
interface SwitchedAgent<State> {
  readonly state: State
  readonly usage: { list(connection: string): readonly ToolUse[] }
  start(): Promise<State>
  stop(): Promise<void>
}

interface AgentSwitchPorts<State> {
  readonly agent: SwitchedAgent<State>
  /** Whether it is to serve. */
  readonly setting: AppSetting<boolean>
  /** Why it doesn't serve though it should, in the user's language. */
  readonly problem: (state: State) => string | undefined
  /** Told how it is, whenever that may have changed. */
  readonly note: (state: State) => void
  readonly onChange: () => void
}

/** Starts and stops the agent as the setting says. */
export class AgentSwitch<State> {
  readonly #ports: AgentSwitchPorts<State>

  constructor(ports: AgentSwitchPorts<State>) {
    this.#ports = ports
  }

  /** As it is shown beside the connection of this name. */
  viewOf(connection: string): AgentView {
    const { agent, setting, problem } = this.#ports
    const { value: enabled, source } = setting
    const said = enabled ? problem(agent.state) : undefined
    return {
      enabled,
      ...(source === undefined ? {} : { source }),
      ...(said === undefined ? {} : { problem: said }),
      uses: agent.usage.list(connection),
    }
  }

  /** Starts or stops the agent, as it is set now. */
  async apply(): Promise<void> {
    const { agent, setting, note, onChange } = this.#ports
    if (setting.value) await agent.start()
    else await agent.stop()
    note(agent.state)
    onChange()
  }

  /** Keeps the user's own word and applies it. `invalidInput` (`managed`) if the administrator has decided. */
  async set(enabled: boolean): Promise<Outcome> {
    const outcome = this.#ports.setting.set(enabled)
    if (outcome.ok) await this.apply()
    return outcome
  }
}
