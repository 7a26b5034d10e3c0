import type { AppView, CallInput, ConnectionView, Handlers, Outcome } from '../../preload/contract.ts'
import type { Clock } from './ports.ts'
import { password } from './secret.ts'
import type { Session } from './session.ts'
import { viewOf } from './state.ts'

/** What the settings say and take; the rest of them is nobody's business here. */
export interface ConnectionSettings<Connection> {
  /** The connection as it is set now, if one is. */
  connection(): Connection | undefined
  /** What the window may know of it. */
  view(connection: Connection): ConnectionView
  /** Whether nothing differs that a session depends on. */
  isSame(one: Connection | undefined, other: Connection | undefined): boolean
  save(input: CallInput<'saveSettings'>): Promise<Outcome>
  check(input: CallInput<'checkSettings'>): Outcome
}

interface ConnectionsPorts<Connection> {
  readonly settings: ConnectionSettings<Connection>
  /** What has to be had before a session can be opened: the keychain, and what it holds of the settings. */
  readonly prepare: () => Promise<void>
  readonly open: (connection: Connection) => Session
  /** Told before each step of the user's that may need the keychain. */
  readonly onStep: () => void
  readonly clock: Pick<Clock, 'now' | 'wall'>
}

/** The calls that are about the connection and its session. */
type ConnectionCalls = Pick<
  Handlers,
  'saveSettings' | 'checkSettings' | 'signIn' | 'changePassword' | 'signOut' | 'renewNow'
>

const NOT_CONFIGURED: Outcome = { ok: false, failure: { code: 'notConfigured' } }

/** The configured connection and its running session, and what the window may ask of them. */
export class Connections<Connection extends { readonly baseAddress: string }> {
  readonly #ports: ConnectionsPorts<Connection>
  readonly #listeners = new Set<() => void>()
  #stopped = false
  #present: { readonly connection: Connection; readonly session: Session } | undefined
  /** Sessions that come to their end, by the address whose keychain entry each still writes. */
  readonly #closing = new Map<string, Promise<void>>()
  /** One move after another. */
  #following: Promise<void> = Promise.resolve()

  constructor(ports: ConnectionsPorts<Connection>) {
    this.#ports = ports
  }

  /** The calls of the contract. */
  readonly handlers: ConnectionCalls = {
    saveSettings: (input) => this.#save(input),
    checkSettings: async (input) => this.#ports.settings.check(input),
    signIn: async ({ method, username, password: typed }) => {
      this.#ports.onStep()
      return this.#present?.session.signIn(method, { username, password: password(typed) }) ?? NOT_CONFIGURED
    },
    changePassword: async ({ password: typed }) =>
      this.#present?.session.changePassword(password(typed)) ?? NOT_CONFIGURED,
    signOut: async () => this.#present?.session.signOut() ?? NOT_CONFIGURED,
    renewNow: async () => this.#present?.session.renew() ?? NOT_CONFIGURED,
  }

  get view(): Pick<AppView, 'connection' | 'session'> {
    const { settings, clock } = this.#ports
    const set = settings.connection()
    const open = this.#present
    // Who set it may have changed beneath an open session.
    const shown = open === undefined || settings.isSame(set, open.connection) ? set : open.connection
    if (shown === undefined) return { session: { kind: 'notConfigured' } }
    return {
      connection: settings.view(shown),
      session: open === undefined ? { kind: 'restoring' } : viewOf(open.session.state, clock),
    }
  }

  /** The session of the open connection. */
  get session(): Session | undefined {
    return this.#present?.session
  }

  /** Calls the listener at once and after every change; returns the undo. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    listener()
    return () => this.#listeners.delete(listener)
  }

  /**
   * Opens what is configured, as soon as that can be done: nothing where it is open already; where another is, that
   * one is closed first, without signing anybody out.
   */
  start(): Promise<void> {
    return this.#follow().opened
  }

  wake(): void {
    this.#present?.session.wake()
  }

  /** Closes the session for good, without signing anybody out; resolves when nothing of it is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#close()
    await Promise.all(this.#closing.values())
  }

  /** Goes where the settings say. `left`: what is no longer configured is shown no more. */
  #follow(): { readonly left: Promise<void>; readonly opened: Promise<void> } {
    const left = this.#following.then(() => this.#leave())
    const opened = left.then(() => this.#open())
    this.#following = opened.catch(() => {})
    return { left, opened }
  }

  async #leave(): Promise<void> {
    const { prepare, settings } = this.#ports
    await prepare()
    if (this.#present !== undefined && !settings.isSame(settings.connection(), this.#present.connection)) this.#close()
    this.#changed()
  }

  async #open(): Promise<void> {
    const { settings, open } = this.#ports
    const connection = settings.connection()
    if (connection === undefined || this.#present !== undefined) return
    // Two sessions at once would write the same entry.
    await this.#closing.get(connection.baseAddress)
    if (this.#stopped) return
    const session = open(connection)
    this.#present = { connection, session }
    session.subscribe(() => this.#changed())
    void session.start()
  }

  #close(): void {
    const closing = this.#present
    this.#present = undefined
    if (closing === undefined) return
    const { baseAddress } = closing.connection
    const closed = closing.session.stop().finally(() => {
      if (this.#closing.get(baseAddress) === closed) this.#closing.delete(baseAddress)
    })
    this.#closing.set(baseAddress, closed)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  async #save(input: CallInput<'saveSettings'>): Promise<Outcome> {
    this.#ports.onStep()
    const outcome = await this.#ports.settings.save(input)
    // The next step of the user's is for what is set now.
    if (outcome.ok) await this.#follow().left
    return outcome
  }
}
