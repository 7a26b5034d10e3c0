import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { AppView, ConnectionSessionView } from '../../contract/views.ts'
import { Listeners } from '../base/listeners.ts'
import type { ConnectionSession, ConnectionSessionPorts } from './connection-session.ts'
import type { Probe } from './ports.ts'
import { RemovedConnections, type RemovedConnectionsPorts } from './removed-connections.ts'
import type { SessionEngine } from './session-engine.ts'
import type { Account } from './state.ts'

/** The names of the connections in the settings. */
export interface ConnectionNames {
  /** The names of all connections. The default connection comes first. */
  readonly names: readonly string[]
  readonly mayAdd: boolean
  isOwn(name: string): boolean
  add(name: string, baseAddress: string, probe?: Probe): Promise<Outcome>
  remove(name: string): Promise<Outcome>
}

interface ConnectionManagerPorts {
  readonly settings: ConnectionNames
  readonly make: (
    name: string,
    around: Pick<ConnectionSessionPorts, 'closing' | 'release' | 'onMoved' | 'onChange'> & {
      /** Resolves when every stored session has been restored or is known to be missing. */
      readonly restored: () => Promise<void>
      /** Resolves when the connection's session may be replaced: no one is signed in or signing in. */
      readonly unused: () => Promise<void>
    },
  ) => ConnectionSession
  readonly removed: Pick<RemovedConnectionsPorts, 'installation' | 'markers' | 'openRemoved'>
}

export interface ConnectionAccount {
  readonly name: string
  /** `undefined` if the connection is not configured. */
  readonly address: string | undefined
  /** `undefined` if no one is signed in. */
  readonly account: Account | undefined
}

type View = Pick<AppView, 'connections' | 'mayAddConnections' | 'shown' | 'connection' | 'session'>

const NO_SUCH = fail({ code: 'invalidInput' })

/** All connections with their sessions. The window shows one of them. */
export class ConnectionManager {
  readonly #ports: ConnectionManagerPorts
  readonly #listeners = new Listeners()
  readonly #lastListeners = new Listeners()
  readonly #named = new Map<string, ConnectionSession>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #removed: RemovedConnections
  /** Cached until the next change, because the agent reads this for every request. */
  #names: readonly string[] | undefined
  #chosen: string | undefined
  #stopped = false

  constructor(ports: ConnectionManagerPorts) {
    this.#ports = ports
    this.#removed = new RemovedConnections({
      ...ports.removed,
      isTaken: (address) => [...this.#named.values()].some((each) => each.has(address)),
      closing: this.#closing,
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

  /** The names of all connections. The default connection comes first. */
  get names(): readonly string[] {
    this.#names ??= this.#ports.settings.names
    return this.#names
  }

  /** The account of each connection. This is cheaper to build than the view. */
  get accounts(): readonly ConnectionAccount[] {
    return this.names.map((name) => {
      const { address, account } = this.#get(name)
      return { name, address, account }
    })
  }

  /** True while a sign-in is under way at any connection. */
  get isSigningIn(): boolean {
    return [...this.#named.values()].some(({ session }) => session?.state.kind === 'signingIn')
  }

  /**
   * The name of the chosen connection, if that connection exists. Otherwise the name of the first configured
   * connection.
   */
  get shown(): string {
    const { names } = this
    if (this.#chosen !== undefined && names.includes(this.#chosen)) return this.#chosen
    return names.find((name) => this.#get(name).isConfigured) ?? DEFAULT_CONNECTION
  }

  /** The session of this connection, if it is open. Without a name: the session of the shown connection. */
  session(name: string = this.shown): SessionEngine | undefined {
    return this.#named.get(name)?.session
  }

  /** True while the session state of this connection is unknown: at the start, or because the app is stopping. */
  isRestoring(name: string): boolean {
    return this.names.includes(name) && this.#get(name).isRestoring
  }

  viewOf(name: string): Pick<ConnectionSessionView, 'connection' | 'session'> {
    return this.#get(name).view
  }

  /** Shows another connection. False if no connection has this name. */
  show(name: string): boolean {
    if (!this.names.includes(name)) return false
    this.#chosen = name
    this.#changed()
    return true
  }

  /**
   * Adds a connection and shows it. Fails as `settings.add` does.
   * @param probe tries the address; if it fails, nothing is added.
   */
  async add(name: string, baseAddress: string, probe?: Probe): Promise<Outcome> {
    const outcome = await this.#ports.settings.add(name, baseAddress, probe)
    if (!outcome.ok) return outcome
    this.#chosen = name
    void this.start()
    return OK
  }

  /** Applies changed settings; resolves when an outdated session is out of use. */
  async apply(name: string): Promise<void> {
    if (this.names.includes(name)) await this.#get(name).apply()
  }

  /**
   * Signs out of a connection that the user added, and removes it. Keeps it, and fails, if signing out is refused, the
   * token can't be revoked, or the settings can't be written.
   */
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

  /**
   * Calls the listener after every change, once those of `subscribe` have reacted to it. Returns a function that
   * removes it.
   */
  readonly afterChange = this.#lastListeners.subscribe

  /** Resolves once the session state of all these connections is known. */
  restored(those?: readonly string[]): Promise<void> {
    return this.#until(() => !(those ?? this.names).some((name) => this.#get(name).isRestoring))
  }

  #until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isTrue()) return resolve()
      const undo = this.#listeners.subscribe(() => {
        if (!isTrue()) return
        undo()
        resolve()
      })
    })
  }

  /** Opens the configured connections. Closes connections that are no longer configured, without signing out. */
  async start(): Promise<void> {
    if (this.#stopped) return
    this.#names = undefined
    const { names } = this
    for (const [name, connection] of this.#named) {
      if (names.includes(name)) continue
      this.#named.delete(name)
      void connection.stop()
    }
    this.#changed()
    await Promise.all(names.map((name) => this.#get(name).start()))
  }

  wake(): void {
    for (const connection of this.#named.values()) connection.wake()
    this.#removed.wake()
  }

  /** Call this when the keychain may no longer have what was stored in it. */
  verifyEntries(): void {
    for (const { session } of this.#named.values()) session?.verifyEntry()
    this.#removed.verifyEntries()
  }

  /** Closes every session for good, without signing out. Resolves when all pending work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#removed.stop()
    await Promise.all([...this.#named.values()].map((connection) => connection.stop()))
    await Promise.all(this.#closing.values())
  }

  #get(name: string): ConnectionSession {
    const present = this.#named.get(name)
    if (present !== undefined) return present
    const made = this.#ports.make(name, {
      closing: this.#closing,
      release: (address) => this.#removed.release(address),
      onMoved: () => this.#removed.sync(),
      onChange: () => this.#changed(),
      restored: () => this.restored(),
      unused: () => this.#until(() => !this.#get(name).isUsed),
    })
    this.#named.set(name, made)
    return made
  }

  #changed(): void {
    this.#listeners.tell()
    this.#lastListeners.tell()
  }
}
