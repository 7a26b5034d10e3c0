import {
  type ConnectionView,
  type Outcome,
  SETTING_FIELDS,
  type SettingProblems,
  type SettingsView,
} from '../../preload/contract.ts'
import type { SecretStore } from '../session/ports.ts'
import { planChange, type SettingsInput } from './change.ts'
import { readClientSecret, writeClientSecret } from './client-secret.ts'
import { type Connection, type Layers, pick, resolveConnection, sourceOf } from './connection.ts'
import type { ClientSecret, Layer, SettingsProblem } from './layer.ts'
import type { PolicyReading } from './policy.ts'
import type { UserSettings } from './user-settings.ts'

interface Reading {
  readonly layer: Layer
  readonly problems: readonly SettingsProblem[]
}

interface SettingsOptions {
  /** The administrator's file, as it was read last. */
  readonly policy: { readonly reading: PolicyReading }
  readonly environment: Reading
  readonly user: UserSettings
  /** Where the user's own client secret is kept: it is in no file. */
  readonly keychain: () => Promise<Pick<SecretStore, 'read' | 'write' | 'delete'>>
}

const OK: Outcome = { ok: true, value: undefined }

/** All sources together: what is set, by whom, and what of it can't be used. */
export class Settings {
  readonly #options: SettingsOptions
  #secret: ClientSecret | undefined
  /** One saving after another. */
  #saving: Promise<unknown> = Promise.resolve()

  constructor(options: SettingsOptions) {
    this.#options = options
  }

  /** The connection as it is set now, secrets and all: for the main process alone. */
  get connection(): Connection | undefined {
    return resolveConnection(this.#layers)
  }

  get problems(): readonly SettingsProblem[] {
    const { policy, environment, user } = this.#options
    return [...policy.reading.problems, ...environment.problems, ...user.layer().problems]
  }

  /** What the window may know: each value and who set it; of the client secret only who. */
  get view(): SettingsView {
    const layers = this.#layers
    const entries = SETTING_FIELDS.map((field) => {
      const source = sourceOf(layers, field)
      const value = field === 'clientSecret' ? undefined : pick(layers, field)
      return [field, { ...(value === undefined ? {} : { value }), ...(source === undefined ? {} : { source }) }]
    })
    return Object.fromEntries(entries) as SettingsView
  }

  /** Takes the user's own client secret of the present connection out of the keychain. */
  async readClientSecret(): Promise<void> {
    const keychain = await this.#options.keychain()
    const address = this.connection?.baseAddress
    this.#secret = address === undefined ? undefined : await readClientSecret(keychain, address)
  }

  /** Looks once more where there was none: a locked keychain gives none. */
  async findClientSecret(): Promise<void> {
    if (this.#secret === undefined) await this.readClientSecret()
  }

  /** Whether the user's own client secret is in memory alone, and gone with the app. */
  losesClientSecret({ persistence }: Pick<SecretStore, 'persistence'>): boolean {
    return persistence === 'memory' && this.#secret !== undefined && this.view.clientSecret.source === 'user'
  }

  /** Says what `save` would, and changes nothing. */
  check(input: SettingsInput): Outcome {
    const change = planChange(this.#layers, input)
    return change.ok ? OK : refused(change.problems)
  }

  /**
   * Keeps all values or none: `invalidInput` names what is wrong with each, `keychainUnavailable` says that the
   * client secret could not be kept.
   */
  save(input: SettingsInput): Promise<Outcome> {
    const saving = this.#saving.then(() => this.#save(input))
    this.#saving = saving.catch(() => {})
    return saving
  }

  async #save(input: SettingsInput): Promise<Outcome> {
    // The keychain may have been locked when the connection was opened.
    await this.findClientSecret()
    const change = planChange(this.#layers, input)
    if (!change.ok) return refused(change.problems)
    const from = this.connection?.baseAddress
    const to = pick({ ...this.#layers, user: change.own }, 'baseAddress')
    const { clientSecret } = change.own
    const isMoved = from !== to
    const isWritten = isMoved ? clientSecret !== undefined : clientSecret !== this.#secret
    const before = this.#secret
    if (isWritten) {
      const written = await this.#write(to, clientSecret)
      if (!written.ok) return written
    }
    try {
      this.#options.user.save(change.own)
    } catch (error) {
      if (isWritten) await this.#write(to, isMoved ? undefined : before)
      throw error
    }
    this.#secret = clientSecret
    // Where it can't be taken away, it stays behind without anybody who uses it.
    if (isMoved && before !== undefined) await this.#write(from, undefined)
    return OK
  }

  async #write(address: string | undefined, secret: ClientSecret | undefined): Promise<Outcome> {
    return address === undefined ? OK : writeClientSecret(await this.#options.keychain(), address, secret)
  }

  get #layers(): Layers {
    const { policy, environment, user } = this.#options
    const secret = this.#secret
    const own = { ...user.layer().layer, ...(secret === undefined ? {} : { clientSecret: secret }) }
    return { policy: policy.reading.layer, environment: environment.layer, user: own }
  }
}

function refused(fields: SettingProblems): Outcome {
  return { ok: false, failure: { code: 'invalidInput', fields, details: { operation: 'saveSettings' } } }
}

/** What the window may know of a connection. */
export function connectionView({ baseAddress, host, source, identityProvider }: Connection): ConnectionView {
  return { baseAddress, host, source, methods: identityProvider === undefined ? ['password'] : ['password', 'sso'] }
}
