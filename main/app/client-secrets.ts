import { fail, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { Listeners } from '../base/listeners.ts'
import { Tasks, withTimeout } from '../base/waits.ts'
import type { Keychain } from '../keychain/open.ts'
import { type Connection, isSameConnection } from '../session/connection.ts'
import type { Preparation } from '../session/connection-manager.ts'
import type { SecretStore } from '../session/ports.ts'
import type { ConnectionSettings } from '../settings/connection-settings.ts'

interface ClientSecretsPorts {
  readonly keychain: Pick<Keychain, 'opened' | 'store'>
  readonly settings: {
    of(
      name: string,
    ): Pick<ConnectionSettings, 'connection' | 'usesClientSecret' | 'readClientSecret' | 'findClientSecret'>
  }
  readonly clock: Pick<Clock, 'now' | 'at'>
}

/** How long `prepare` waits for a client secret. If opening the keychain has failed, `prepare` doesn't wait. */
const SECRET_TIMEOUT_MS = 1_000
/** The delay doubles with each read, because on macOS each read may show the system's unlock prompt. */
const FIRST_RETRY_DELAY_MS = 10_000
const LONGEST_RETRY_DELAY_MS = 60_000
const LATE: Outcome = fail({ code: 'keychainUnavailable' })

export class ClientSecrets {
  readonly #ports: ClientSecretsPorts
  readonly #connectionChanges = new Listeners()
  readonly #preparing = new Tasks()
  readonly #retrying = new WeakSet<object>()

  constructor(ports: ClientSecretsPorts) {
    this.#ports = ports
  }

  /** Calls the listener when a connection has changed because its client secret was read late. */
  readonly onConnectionChange = this.#connectionChanges.subscribe

  /** Opens the keychain and waits a short time for the client secret that this connection needs. */
  prepare(name: string, preparation: Preparation): Promise<void> {
    return this.#preparing.add(this.#prepare(name, preparation))
  }

  prepared(): Promise<void> {
    return this.#preparing.over()
  }

  /** Reports an entry as locked if the client secret can't be read or the connection's settings have changed. */
  storeFor(name: string, connection: Connection): SecretStore {
    const isReady = async () => {
      const own = this.#ports.settings.of(name)
      if (own.usesClientSecret && !(await own.findClientSecret()).ok) return false
      const isSame = isSameConnection(this.#ports.settings.of(name).connection, connection)
      if (!isSame) this.#connectionChanges.tell()
      return isSame
    }
    return this.#ports.keychain.store(async (result) =>
      result.kind === 'found' && !(await isReady()) ? { kind: 'locked' } : result,
    )
  }

  async #prepare(name: string, { restored, unused, onChange }: Preparation): Promise<void> {
    const { keychain, settings, clock } = this.#ports
    const { state } = await keychain.opened()
    const own = settings.of(name)
    const before = own.connection
    if (!own.usesClientSecret) {
      // Only the settings screen needs to know whether there is a secret, so the secret is read after the sessions.
      void restored()
        .then(() => own.findClientSecret())
        .then(onChange)
      return
    }
    const reading = own.readClientSecret()
    if ((await withTimeout(clock, state.kind === 'unavailable' ? 0 : SECRET_TIMEOUT_MS, reading, LATE)).ok) return
    // On macOS, a second loop of reads would show the system's prompt twice as often.
    const isRetrying = this.#retrying.has(own)
    this.#retrying.add(own)
    const late = isRetrying ? reading : this.#retry(own, reading).finally(() => this.#retrying.delete(own))
    void Promise.resolve<unknown>(late)
      .then(unused)
      .then(() => {
        if (!isSameConnection(own.connection, before)) this.#connectionChanges.tell()
      })
  }

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
