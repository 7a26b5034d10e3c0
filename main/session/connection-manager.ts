import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { AppView, ConnectionSessionView } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { Listeners } from '../base/listeners.ts'
import { createInTurn } from '../base/waits.ts'
import { type Connection, isSameConnection } from './connection.ts'
import { viewOf } from './connection-view.ts'
import type { ProbeAddress } from './ports.ts'
import { RemovedConnections, type RemovedConnectionsPorts } from './removed-connections.ts'
import type { SessionEngine } from './session-engine.ts'
import type { Account } from './state.ts'

interface ConnectionNames {
  /** The default connection comes first. */
  readonly names: readonly string[]
  readonly mayAdd: boolean
  isOwn(name: string): boolean
  add(name: string, baseAddress: string, probe?: ProbeAddress): Promise<Outcome>
  remove(name: string): Promise<Outcome>
}

export interface Preparation {
  /** Resolves once each stored session has been restored or is known to be missing. */
  readonly restored: () => Promise<void>
  /** Resolves once nobody is signed in or signing in at the connection, so that its session may be replaced. */
  readonly unused: () => Promise<void>
  readonly onChange: () => void
}

interface ConnectionManagerPorts {
  readonly settings: ConnectionNames
  /** The connection of this name in the current settings; `undefined` if there is none. */
  readonly configured: (name: string) => Connection | undefined
  readonly prepare: (name: string, preparation: Preparation) => Promise<void>
  readonly open: (name: string, connection: Connection) => SessionEngine
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly removed: Omit<RemovedConnectionsPorts, 'isTaken' | 'signal'>
}

export interface ConnectionAccount {
  readonly name: string
  /** The connection's address; `undefined` if the connection isn't configured. */
  readonly address: string | undefined
  readonly account: Account | undefined
}

type View = Pick<AppView, 'connections' | 'mayAddConnections' | 'shown' | 'connection' | 'session'>

const NO_SUCH = fail({ code: 'invalidInput' })

export class ConnectionManager {
  readonly #ports: ConnectionManagerPorts
  readonly #listeners = new Listeners()
  readonly #lastListeners = new Listeners()
  readonly #named = new Map<string, ConnectionSession>()
  readonly #removed: RemovedConnections
  /** The names, kept until the next change because the agent reads them for each request. */
  #names: readonly string[] | undefined
  #chosen: string | undefined
  readonly #closing = new AbortController()

  constructor(ports: ConnectionManagerPorts) {
    this.#ports = ports
    this.#removed = new RemovedConnections({
      ...ports.removed,
      signal: this.#closing.signal,
      isTaken: (address) => [...this.#named.values()].some((each) => each.has(address)),
    })
  }

  get view(): View {
    const { settings } = this.#ports
    const { shown: chosen } = this
    const connections = this.names.map((name): ConnectionSessionView => {
      return { name, isOwn: settings.isOwn(name), ...this.#get(name).view }
    })
    const shown = connections.find(({ name }) => name === chosen)
    return {
      connections,
      mayAddConnections: settings.mayAdd,
      shown: chosen,
      ...(shown?.connection === undefined ? {} : { connection: shown.connection }),
      session: shown?.session ?? { kind: 'notConfigured' },
    }
  }

  get names(): readonly string[] {
    this.#names ??= this.#ports.settings.names
    return this.#names
  }

  /** The addresses and accounts of all connections, which take less time to collect than the view. */
  get accounts(): readonly ConnectionAccount[] {
    return this.names.map((name) => {
      const { address, account } = this.#get(name)
      return { name, address, account }
    })
  }

  get isSigningIn(): boolean {
    return [...this.#named.values()].some((each) => each.isSigningIn)
  }

  /** The connection that the user chose or, if that doesn't exist, the first that is configured. */
  get shown(): string {
    const { names } = this
    if (this.#chosen !== undefined && names.includes(this.#chosen)) return this.#chosen
    return names.find((name) => this.#get(name).isConfigured) ?? DEFAULT_CONNECTION
  }

  /** The connection's session, by default the shown connection's; `undefined` if it isn't open. */
  session(name: string = this.shown): SessionEngine | undefined {
    return this.#named.get(name)?.session
  }

  /** True while the session's state is unknown: at the start, or because the app is stopping. */
  isRestoring(name: string): boolean {
    return this.names.includes(name) && this.#get(name).isRestoring
  }

  viewOf(name: string): Pick<ConnectionSessionView, 'connection' | 'session'> {
    return this.#get(name).view
  }

  show(name: string): boolean {
    if (!this.names.includes(name)) return false
    this.#chosen = name
    this.#changed()
    return true
  }

  /**
   * Adds a connection and shows it. Returns the failure of `settings.add` if that fails.
   * @param probe tries the address; if the address doesn't work, nothing is added
   */
  async add(name: string, baseAddress: string, probe?: ProbeAddress): Promise<Outcome> {
    const outcome = await this.#ports.settings.add(name, baseAddress, probe)
    if (!outcome.ok) return outcome
    this.#chosen = name
    void this.start()
    return OK
  }

  /** Applies changed settings. Resolves when an outdated session is no longer used. */
  async apply(name: string): Promise<void> {
    // SECURITY: tools learn a new data address at once, even if the new session has to wait for the keychain.
    this.#changed()
    if (this.names.includes(name)) await this.#get(name).applySettings().closed
  }

  /** Signs out and removes a connection that the user added. If either fails, the connection stays. */
  async remove(name: string): Promise<Outcome> {
    const { settings } = this.#ports
    if (!settings.isOwn(name)) return NO_SUCH
    const ended = await this.#get(name).end()
    if (!ended.ok) return ended
    const removed = await settings.remove(name)
    if (removed.ok) await this.start()
    return removed
  }

  /** Calls the listener at once and after every change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void {
    const undo = this.#listeners.subscribe(listener)
    listener()
    return undo
  }

  /** Calls the listener after every change, once the listeners of `subscribe` have been called. */
  readonly afterChange = this.#lastListeners.subscribe

  /** Resolves once every stored session has been restored or is known to be missing. */
  restored(): Promise<void> {
    return this.until(() => !this.names.some((name) => this.#get(name).isRestoring))
  }

  /** Resolves once `isTrue` returns true. Calls `isTrue` after every change. */
  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isTrue()) return resolve()
      const undo = this.#listeners.subscribe(() => {
        if (!isTrue()) return
        undo()
        resolve()
      })
    })
  }

  /** Opens the configured connections, and closes all others without signing out. */
  async start(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#names = undefined
    const { names } = this
    for (const [name, connection] of this.#named) {
      if (names.includes(name)) continue
      this.#named.delete(name)
      connection.stop()
    }
    this.#changed()
    await Promise.all(names.map((name) => this.#get(name).applySettings().opened))
  }

  wake(): void {
    for (const { session } of this.#named.values()) session?.wake()
    this.#removed.wake()
  }

  /** Checks the entries of all sessions, because the keychain may have lost them. */
  verifyEntries(): void {
    for (const { session } of this.#named.values()) session?.verifyEntry()
    this.#removed.verifyEntries()
  }

  /** Closes every session for good, without signing out. Resolves when all pending work has ended. */
  async stop(): Promise<void> {
    this.#closing.abort()
    for (const connection of this.#named.values()) connection.stop()
    await this.#removed.stop()
  }

  #get(name: string): ConnectionSession {
    const present = this.#named.get(name)
    if (present !== undefined) return present
    const onChange = () => this.#changed()
    const unused = () => this.until(() => !this.#get(name).isUsed)
    const { configured, prepare, open, clock } = this.#ports
    const made = new ConnectionSession({
      configured: () => configured(name),
      prepare: () => prepare(name, { restored: () => this.restored(), unused, onChange }),
      open: (connection) => open(name, connection),
      clock,
      removed: this.#removed,
      onChange,
    })
    this.#named.set(name, made)
    return made
  }

  #changed(): void {
    this.#listeners.tell()
    this.#lastListeners.tell()
  }
}

interface ConnectionSessionPorts extends Pick<ConnectionManagerPorts, 'clock'> {
  readonly configured: () => Connection | undefined
  readonly prepare: () => Promise<void>
  readonly open: (connection: Connection) => SessionEngine
  readonly removed: RemovedConnections
  readonly onChange: () => void
}

class ConnectionSession {
  readonly #ports: ConnectionSessionPorts
  readonly #inTurn = createInTurn()
  /** Aborted when the app stops or the connection is removed. */
  readonly #closing = new AbortController()
  #present: { readonly connection: Connection; readonly session: SessionEngine } | undefined

  constructor(ports: ConnectionSessionPorts) {
    this.#ports = ports
  }

  get session(): SessionEngine | undefined {
    return this.#present?.session
  }

  get isConfigured(): boolean {
    return this.#present !== undefined || this.#ports.configured() !== undefined
  }

  get isRestoring(): boolean {
    return this.session === undefined ? this.isConfigured : this.session.state.kind === 'restoring'
  }

  get isSigningIn(): boolean {
    return this.session?.state.kind === 'signingIn'
  }

  get isUsed(): boolean {
    return this.account !== undefined || this.isSigningIn
  }

  get view(): ReturnType<typeof viewOf> {
    const { configured, clock } = this.#ports
    return viewOf(configured(), this.#present, clock)
  }

  get address(): string | undefined {
    return (this.#present?.connection ?? this.#ports.configured())?.baseAddress
  }

  get account(): Account | undefined {
    const state = this.session?.state
    return state !== undefined && 'account' in state ? state.account : undefined
  }

  has(address: string): boolean {
    return [this.#ports.configured(), this.#present?.connection].some((each) => each?.baseAddress === address)
  }

  /**
   * Replaces the open session if the settings no longer match it. The old session is closed without signing out.
   * `closed` resolves when an outdated session is no longer used, and `opened` when the new one is open.
   */
  applySettings(): { readonly closed: Promise<void>; readonly opened: Promise<void> } {
    const closed = this.#inTurn(() => this.#closeOld())
    const opened = this.#inTurn(() => closed.then(() => this.#open()))
    void this.#inTurn(async () => this.#ports.removed.sync())
    return { closed, opened }
  }

  /**
   * Signs out. Fails if a new recovery code would be lost, or if the token's revocation is still pending. After a
   * failure, the connection must stay.
   */
  async end(): Promise<Outcome> {
    const { session } = this
    const ended = (await session?.signOut()) ?? OK
    if (!ended.ok) return ended
    const state = session?.state
    if (state?.kind !== 'signedOut' || state.revocation !== 'pending') return OK
    return fail(state.revocationFailure ?? { code: 'unreachable' })
  }

  stop(): void {
    this.#closing.abort()
    this.#close()
  }

  async #closeOld(): Promise<void> {
    const { configured, prepare, onChange } = this.#ports
    await prepare()
    if (this.#present !== undefined && !isSameConnection(configured(), this.#present.connection)) this.#close()
    onChange()
  }

  async #open(): Promise<void> {
    const { configured, open, removed, onChange } = this.#ports
    const connection = configured()
    if (connection === undefined || this.#present !== undefined) return
    // The earlier session at this address must have ended, because two sessions would write the same entry.
    const release = () => removed.release(connection.baseAddress)
    for (let busy = release(); busy !== undefined; busy = release()) await busy
    if (this.#closing.signal.aborted) return
    const session = open(connection)
    this.#present = { connection, session }
    session.subscribe(onChange)
    void session.start()
  }

  #close(): void {
    if (this.#present === undefined) return
    const { connection, session } = this.#present
    this.#present = undefined
    void this.#ports.removed.close(connection.baseAddress, session)
  }
}
