import type { AppView, ConnectionView, Handlers, Outcome } from '../../preload/contract.ts'
import type { Clock } from './ports.ts'
import { password } from './secret.ts'
import type { Session } from './session.ts'
import { viewOf } from './state.ts'

/** What the settings say and take; the rest of them is nobody's business here. */
export interface ConnectionSettings {
  /** The connection as it is set now, if one is. */
  connection(): ConnectionView | undefined
  /** Keeps the user's own address; `invalidInput` names what is wrong with it. */
  setBaseAddress(text: string): Outcome
}

interface ConnectionsPorts {
  readonly settings: ConnectionSettings
  readonly open: (connection: ConnectionView) => Session
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly onChange: () => void
}

const NOT_CONFIGURED: Outcome = { ok: false, failure: { code: 'notConfigured' } }

/** The configured connection and its running session, and what the window may ask of them. */
export class Connections {
  readonly #ports: ConnectionsPorts
  #open: { readonly connection: ConnectionView; readonly session: Session } | undefined

  constructor(ports: ConnectionsPorts) {
    this.#ports = ports
  }

  /** The calls of the contract. */
  readonly handlers: Handlers = {
    connect: async ({ baseAddress }) => this.#connect(baseAddress),
    signIn: async ({ method, username, password: typed }) =>
      this.#open?.session.signIn(method, { username, password: password(typed) }) ?? NOT_CONFIGURED,
    signOut: async () => this.#open?.session.signOut() ?? NOT_CONFIGURED,
    renewNow: async () => this.#open?.session.renew() ?? NOT_CONFIGURED,
  }

  get view(): Pick<AppView, 'connection' | 'session'> {
    if (this.#open === undefined) return { session: { kind: 'notConfigured' } }
    const { connection, session } = this.#open
    return { connection, session: viewOf(session.state, this.#ports.clock) }
  }

  /** Opens what is configured. */
  start(): void {
    const connection = this.#ports.settings.connection()
    if (connection === undefined) return
    const session = this.#ports.open(connection)
    this.#open = { connection, session }
    session.subscribe(this.#ports.onChange)
    void session.start()
  }

  wake(): void {
    this.#open?.session.wake()
  }

  /** Closes the session without signing anybody out; resolves when nothing of it is under way. */
  async stop(): Promise<void> {
    const closing = this.#open
    this.#open = undefined
    await closing?.session.stop()
  }

  async #connect(baseAddress: string): Promise<Outcome> {
    const outcome = this.#ports.settings.setBaseAddress(baseAddress)
    if (!outcome.ok) return outcome
    if (this.#ports.settings.connection()?.baseAddress !== this.#open?.connection.baseAddress) {
      await this.stop()
      this.start()
    }
    return outcome
  }
}
