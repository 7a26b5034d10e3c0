import { OK, type Outcome } from '../../contract/failures.ts'
import type { AgentView, ToolUse } from '../../contract/views.ts'

/** The agent as far as it is switched and shown. */
interface SwitchedAgent<State> {
  readonly state: State
  readonly usage: { list(connection: string): readonly ToolUse[] }
  start(): Promise<State>
  stop(): Promise<void>
}

interface AgentSwitchPorts<State> {
  readonly agent: SwitchedAgent<State>
  /** What the administrator's file says of it. */
  readonly policy: () => boolean | undefined
  /** What the user has said. */
  readonly own: { get agent(): boolean | undefined; set agent(enabled: boolean) }
  /** Why it doesn't serve though it should, in the user's language. */
  readonly problem: (state: State) => string | undefined
  /** Told how it is, whenever that may have changed. */
  readonly note: (state: State) => void
  readonly onChange: () => void
}

/** Whether the agent serves: the administrator's word counts, then the user's; it does where nobody says otherwise. */
export class AgentSwitch<State> {
  readonly #ports: AgentSwitchPorts<State>

  constructor(ports: AgentSwitchPorts<State>) {
    this.#ports = ports
  }

  /** As it is shown beside the connection of this name. */
  viewOf(connection: string): AgentView {
    const { agent, policy, own, problem } = this.#ports
    const source = policy() !== undefined ? 'policy' : own.agent !== undefined ? 'user' : undefined
    const said = this.#isEnabled ? problem(agent.state) : undefined
    return {
      enabled: this.#isEnabled,
      ...(source === undefined ? {} : { source }),
      ...(said === undefined ? {} : { problem: said }),
      uses: agent.usage.list(connection),
    }
  }

  /** Starts or stops the agent, as it is set now. */
  async apply(): Promise<void> {
    const { agent, note, onChange } = this.#ports
    if (this.#isEnabled) await agent.start()
    else await agent.stop()
    note(agent.state)
    onChange()
  }

  /** Keeps the user's own word and applies it. `invalidInput` (`managed`) where the administrator has decided. */
  async set(enabled: boolean): Promise<Outcome> {
    const { policy, own } = this.#ports
    if (policy() !== undefined) {
      return { ok: false, failure: { code: 'invalidInput', details: { operation: 'setAgent', cause: 'managed' } } }
    }
    own.agent = enabled
    await this.apply()
    return OK
  }

  get #isEnabled(): boolean {
    const { policy, own } = this.#ports
    return policy() ?? own.agent ?? true
  }
}
