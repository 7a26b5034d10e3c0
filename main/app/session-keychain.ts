/** Stores the sessions in the keychain, after it has read the client secrets that their connections need. */
import { fail, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { Listeners } from '../base/listeners.ts'
import { withTimeout } from '../base/waits.ts'
import type { OpenedKeychain } from '../keychain/open.ts'
import { type Connection, isSameConnection } from '../session/connection.ts'
import type { Preparation } from '../session/connection-manager.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import type { ConnectionSettings } from '../settings/connection-settings.ts'

interface SessionKeychainPorts {
  readonly open: () => Promise<OpenedKeychain>
  readonly settings: {
    of(
      name: string,
    ): Pick<ConnectionSettings, 'connection' | 'usesClientSecret' | 'readClientSecret' | 'findClientSecret'>
    losesClientSecret(store: Pick<SecretStore, 'persistence'>): boolean
  }
  readonly clock: Pick<Clock, 'now' | 'at'>
}

/** How long `prepare` waits for a client secret. It doesn't wait if the keychain didn't answer when it was opened. */
const SECRET_TIMEOUT_MS = 1_000
/**
 * The first delay before the keychain is read again. The delay doubles, because on macOS each read may show the
 * system's unlock prompt.
 */
const FIRST_RETRY_DELAY_MS = 10_000
const LONGEST_RETRY_DELAY_MS = 60_000
const LATE: Outcome = fail({ code: 'keychainUnavailable' })

export class SessionKeychain {
  readonly #ports: SessionKeychainPorts
  readonly #connectionChanges = new Listeners()
  #opened: OpenedKeychain | undefined
  #prepared: Promise<unknown> = Promise.resolve()

  constructor(ports: SessionKeychainPorts) {
    this.#ports = ports
  }

  /** Calls the listener when a client secret that was read late has changed a connection. */
  readonly onConnectionChange = this.#connectionChanges.subscribe

  /** Opens the keychain and waits a short time for the client secret that this connection needs. */
  prepare(name: string, preparation: Preparation): Promise<void> {
    const preparing = this.#prepare(name, preparation)
    this.#prepared = Promise.all([this.#prepared, preparing])
    return preparing
  }

  prepared(): Promise<unknown> {
    return this.#prepared
  }

  /** Opens the keychain when it is first used. */
  get store(): SecretStore {
    return this.#storeWith(async (result) => result)
  }

  /**
   * The store for a session of this connection. An existing entry counts as locked while the client secret that the
   * connection needs can't be read, and after the connection has changed.
   */
  storeFor(name: string, connection: Connection): SecretStore {
    const isReady = async () => {
      const own = this.#ports.settings.of(name)
      if (own.usesClientSecret && !(await own.findClientSecret()).ok) return false
      const isSame = isSameConnection(this.#ports.settings.of(name).connection, connection)
      if (!isSame) this.#connectionChanges.tell()
      return isSame
    }
    return this.#storeWith(async (result) =>
      result.kind === 'found' && !(await isReady()) ? { kind: 'locked' } : result,
    )
  }

  #storeWith(check: (result: ReadResult) => Promise<ReadResult>): SecretStore {
    const persistence = () => this.#opened?.store.persistence ?? 'memory'
    const opened = async () => (await this.#open()).store
    return {
      get persistence() {
        return persistence()
      },
      read: async (name) => check(await (await opened()).read(name)),
      write: async (name, value) => (await opened()).write(name, value),
      delete: async (name) => (await opened()).delete(name),
    }
  }

  /** Call this before a user action, so that the system may show its unlock prompt again. */
  allowPrompts(): void {
    this.#opened?.allowPrompts()
  }

  /** True if a pending keychain call would delay the end of this process. */
  isBusy(): boolean {
    return this.#opened?.busy() ?? false
  }

  /** True if quitting would lose a client secret that the user entered. */
  losesClientSecret(): boolean {
    return this.#opened !== undefined && this.#ports.settings.losesClientSecret(this.#opened.store)
  }

  async #open(): Promise<OpenedKeychain> {
    this.#opened ??= await this.#ports.open()
    return this.#opened
  }

  async #prepare(name: string, { restored, unused, onChange }: Preparation): Promise<void> {
    const { settings, clock } = this.#ports
    const { state } = await this.#open()
    const own = settings.of(name)
    const before = own.connection
    if (!own.usesClientSecret) {
      // The connection doesn't use its secret. Only the settings show whether there is one, so the search can wait.
      void restored()
        .then(() => own.findClientSecret())
        .then(onChange)
      return
    }
    const reading = own.readClientSecret()
    if ((await withTimeout(clock, state.kind === 'unavailable' ? 0 : SECRET_TIMEOUT_MS, reading, LATE)).ok) return
    void this.#retry(own, reading)
      .then(unused)
      .then(() => {
        if (!isSameConnection(own.connection, before)) this.#connectionChanges.tell()
      })
  }

  /** Reads again and again until it succeeds, for example because the user has unlocked the keychain. */
  async #retry(own: Pick<ConnectionSettings, 'findClientSecret'>, reading: Promise<Outcome>): Promise<void> {
    const { clock } = this.#ports
    let delay = FIRST_RETRY_DELAY_MS
    for (let read = await reading; !read.ok; read = await own.findClientSecret()) {
      const at = clock.now() + delay
      await new Promise<void>((resolve) => clock.at(at, resolve))
      delay = Math.min(2 * delay, LONGEST_RETRY_DELAY_MS)
    }
  }
}
