import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { ConnectionView, SessionView } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { type Connection, connectionView, isSameConnection } from './connection.ts'
import type { SessionEngine } from './session-engine.ts'
import { type Account, viewOf } from './state.ts'

export interface ConnectionSessionPorts {
  /** The connection as currently configured; `undefined` if it is not configured. */
  readonly configured: () => Connection | undefined
  /** Prepares the keychain and the settings that a session needs. */
  readonly prepare: () => Promise<void>
  readonly open: (connection: Connection) => SessionEngine
  readonly clock: Pick<Clock, 'now' | 'wall'>
  /**
   * The closing sessions of all connections, by address. A closing session may still write the entry of its address.
   */
  readonly closing: Map<string, Promise<void>>
  /**
   * Ends the earlier session of this address, so that a new one can open. Call it again when its promise resolves,
   * until it returns `undefined`.
   */
  readonly release: (address: string) => Promise<void> | undefined
  /** Called after the settings have been applied. */
  readonly onMoved: () => void
  readonly onChange: () => void
}

/** One connection and its running session. */
export class ConnectionSession {
  readonly #ports: ConnectionSessionPorts
  #stopped = false
  #present: { readonly connection: Connection; readonly session: SessionEngine } | undefined
  /** The latest change of session, for which the next one waits. */
  #moving: Promise<void> = Promise.resolve()

  constructor(ports: ConnectionSessionPorts) {
    this.#ports = ports
  }

  /** True if the connection is open, or if the settings are sufficient to open it. */
  get isConfigured(): boolean {
    return this.#present !== undefined || this.#ports.configured() !== undefined
  }

  /** True while the state of the connection's session is unknown. */
  get isRestoring(): boolean {
    if (this.#present === undefined) return this.isConfigured
    return this.#present.session.state.kind === 'restoring'
  }

  /** True while someone is signed in or signing in. */
  get isUsed(): boolean {
    return this.account !== undefined || this.#present?.session.state.kind === 'signingIn'
  }

  get view(): { readonly connection?: ConnectionView; readonly session: SessionView } {
    const { configured, clock } = this.#ports
    const set = configured()
    const open = this.#present
    // If the session remains valid, show the current settings. Their source (user or administrator) may have changed.
    const shown = open === undefined || isSameConnection(set, open.connection) ? set : open.connection
    if (shown === undefined) return { session: { kind: 'notConfigured' } }
    return {
      connection: connectionView(shown),
      session: open === undefined ? { kind: 'restoring' } : viewOf(open.session.state, clock),
    }
  }

  /** The address of the open session; if none is open, the address in the settings. */
  get address(): string | undefined {
    return (this.#present?.connection ?? this.#ports.configured())?.baseAddress
  }

  get account(): Account | undefined {
    const state = this.#present?.session.state
    return state !== undefined && 'account' in state ? state.account : undefined
  }

  get session(): SessionEngine | undefined {
    return this.#present?.session
  }

  /** True if the open connection or the configured connection has this address. */
  has(address: string): boolean {
    return [this.#ports.configured(), this.#present?.connection].some((each) => each?.baseAddress === address)
  }

  /** Opens the configured session, unless it is open. Another one is closed first, without signing out. */
  start(): Promise<void> {
    return this.#move().opened
  }

  /** Applies changed settings; resolves when an outdated session is out of use. */
  apply(): Promise<void> {
    return this.#move().closed
  }

  /**
   * Signs out. If the outcome is a failure, the caller should keep the connection: removing it would lose a recovery
   * code, or leave a refresh token valid that the service couldn't be told about.
   */
  async end(): Promise<Outcome> {
    const session = this.#present?.session
    const ended = (await session?.signOut()) ?? OK
    if (!ended.ok) return ended
    const state = session?.state
    if (state?.kind !== 'signedOut' || state.revocation !== 'pending') return OK
    return fail(state.revocationFailure ?? { code: 'unreachable' })
  }

  wake(): void {
    this.#present?.session.wake()
  }

  /** Closes the session for good, without signing out. Resolves when its pending work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    const address = this.#close()
    if (address !== undefined) await this.#ports.closing.get(address)
  }

  /**
   * Applies the settings. `closed` resolves when an outdated session is out of use, `opened` when the configured one is
   * open.
   */
  #move(): { readonly closed: Promise<void>; readonly opened: Promise<void> } {
    const closed = this.#moving.then(() => this.#closeOld())
    const opened = closed.then(() => this.#open())
    this.#moving = opened.then(this.#ports.onMoved).catch(() => {})
    return { closed, opened }
  }

  async #closeOld(): Promise<void> {
    const { prepare, configured } = this.#ports
    await prepare()
    if (this.#present !== undefined && !isSameConnection(configured(), this.#present.connection)) this.#close()
    this.#ports.onChange()
  }

  async #open(): Promise<void> {
    const { configured, open, release } = this.#ports
    const connection = configured()
    if (connection === undefined || this.#present !== undefined) return
    // Wait until the earlier session has ended, because two open sessions would write the same entry.
    const { baseAddress } = connection
    for (let busy = release(baseAddress); busy !== undefined; busy = release(baseAddress)) await busy
    if (this.#stopped) return
    const session = open(connection)
    this.#present = { connection, session }
    session.subscribe(() => this.#ports.onChange())
    void session.start()
  }

  /** Closes the open session; returns its address. */
  #close(): string | undefined {
    const present = this.#present
    this.#present = undefined
    if (present === undefined) return undefined
    const { closing } = this.#ports
    const { baseAddress } = present.connection
    const closed = present.session.stop().finally(() => {
      if (closing.get(baseAddress) === closed) closing.delete(baseAddress)
    })
    closing.set(baseAddress, closed)
    return baseAddress
  }
}
