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
  /** What has to be had before a session can be opened: the keychain, and what it holds of the settings. */
  readonly prepare: () => Promise<void>
  readonly open: (connection: ConnectionView) => Session
  readonly clock: Pick<Clock, 'now' | 'wall'>
}

const NOT_CONFIGURED: Outcome = { ok: false, failure: { code: 'notConfigured' } }

/** The configured connection and its running session, and what the window may ask of them. */
export class Connections {
  readonly #ports: ConnectionsPorts
  readonly #listeners = new Set<() => void>()
  #stopped = false
  #open: { readonly connection: ConnectionView; readonly session: Session } | undefined

  constructor(ports: ConnectionsPorts) {
    this.#ports = ports
  }

  /** The calls of the contract. */
  readonly handlers: Handlers = {
    connect: async ({ baseAddress }) => this.#connect(baseAddress),
    signIn: async ({ method, username, password: typed }) =>
      this.#open?.session.signIn(method, { username, password: password(typed) }) ?? NOT_CONFIGURED,
    changePassword: async ({ password: typed }) =>
      this.#open?.session.changePassword(password(typed)) ?? NOT_CONFIGURED,
    signOut: async () => this.#open?.session.signOut() ?? NOT_CONFIGURED,
    renewNow: async () => this.#open?.session.renew() ?? NOT_CONFIGURED,
  }

  get view(): Pick<AppView, 'connection' | 'session'> {
    if (this.#open !== undefined) {
      const { connection, session } = this.#open
      return { connection, session: viewOf(session.state, this.#ports.clock) }
    }
    const connection = this.#ports.settings.connection()
    if (connection === undefined) return { session: { kind: 'notConfigured' } }
    return { connection, session: { kind: 'restoring' } }
  }

  /** The session of the open connection. */
  get session(): Session | undefined {
    return this.#open?.session
  }

  /** Calls the listener at once and after every change; returns the undo. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    listener()
    return () => this.#listeners.delete(listener)
  }

  /** Opens what is configured, as soon as that can be done. */
  async start(): Promise<void> {
    await this.#ports.prepare()
    const connection = this.#ports.settings.connection()
    if (connection === undefined || this.#open !== undefined || this.#stopped) return
    const session = this.#ports.open(connection)
    this.#open = { connection, session }
    session.subscribe(() => this.#changed())
    void session.start()
  }

  wake(): void {
    this.#open?.session.wake()
  }

  /** Closes the session for good, without signing anybody out; resolves when nothing of it is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#close()
  }

  async #close(): Promise<void> {
    const closing = this.#open
    this.#open = undefined
    await closing?.session.stop()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  async #connect(baseAddress: string): Promise<Outcome> {
    const outcome = this.#ports.settings.setBaseAddress(baseAddress)
    if (!outcome.ok) return outcome
    if (this.#ports.settings.connection()?.baseAddress !== this.#open?.connection.baseAddress) {
      await this.#close()
      await this.start()
    }
    return outcome
  }
}
