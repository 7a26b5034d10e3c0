import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import {
  type PolicyPlaceKind,
  SETTING_FIELDS,
  SETTINGS,
  type SettingField,
  type SettingProblems,
  type SettingsView,
} from '../../contract/settings.ts'
import { type ClientSecret, clientSecret, entryText } from '../base/secret.ts'
import type { InTurn } from '../base/waits.ts'
import type { Connection } from '../session/connection.ts'
import type { ProbeAddress, SecretStore } from '../session/ports.ts'
import { type DestinationChange, destinationChange, NOT_CONFIRMED } from './destination.ts'
import {
  type Change,
  effective,
  explicitValue,
  isManaged,
  isSecretWithheld,
  type Layer,
  type Layers,
  type ManagedLayer,
  needsClientSecret,
  planChange,
  resolveConnection,
  type SettingsInput,
  sourceOf,
} from './layers.ts'

interface ConnectionSettingsOptions {
  readonly policy: () => ManagedLayer
  readonly placeOf?: (field: SettingField) => PolicyPlaceKind | undefined
  readonly environment: Layer
  readonly user: { layer(): Layer; save(values: Layer): Outcome; remove(): Outcome }
  readonly isTaken: (baseAddress: string) => boolean
  readonly secrets: Pick<SecretStore, 'read' | 'write' | 'delete'>
  readonly confirm: (change: DestinationChange, probe?: () => Promise<Outcome>) => Promise<Outcome>
  readonly inTurn: InTurn
}

export class ConnectionSettings {
  readonly #options: ConnectionSettingsOptions
  #stored: StoredClientSecret | undefined

  constructor(options: ConnectionSettingsOptions) {
    this.#options = options
  }

  /** The connection. It contains secrets, so it stays in the main process. */
  get connection(): Connection | undefined {
    return resolveConnection(this.#layers)
  }

  /** The settings for the window: each value and its source. For the client secret, there is only the source. */
  get view(): SettingsView {
    const layers = this.#layers
    const entries = SETTING_FIELDS.map((field) => {
      const source = sourceOf(layers, field)
      const value = SETTINGS[field].kind === 'secret' ? undefined : explicitValue(layers, field)
      const place = this.#options.placeOf?.(field)
      return [
        field,
        {
          ...(value === undefined ? {} : { value: String(value) }),
          ...(source && { source }),
          ...(source === 'policy' && place && { place }),
        },
      ]
    })
    return Object.fromEntries(entries) as SettingsView
  }

  get gateway() {
    const layers = this.#layersWithoutSecret
    return {
      isEnabled: effective(layers, 'gateway'),
      isLocked: isManaged(layers, 'gateway'),
      port: effective(layers, 'gatewayPort'),
      methods: effective(layers, 'gatewayMethods'),
    }
  }

  /** Fails only with `keychainUnavailable`. In this case, there may still be a secret. */
  async readClientSecret({ isReadOnly = false } = {}): Promise<Outcome> {
    const { secrets } = this.#options
    const address = this.connection?.baseAddress
    const read = address === undefined ? OK : await readClientSecret(secrets, address)
    this.#stored = read.ok ? read.value : undefined
    if (!read.ok) return read
    if (this.#stored === undefined || this.#stored.issuer !== undefined || address === undefined) return OK
    // SECURITY: a secret whose entry names no provider never goes to the user's, which a malicious page may have set.
    const layers = this.#layers
    const issuer = isManaged(layers, 'authUrl') ? effective(layers, 'authUrl') : undefined
    if (issuer === undefined) return OK
    this.#stored = { ...this.#stored, issuer }
    // If the entry can't be written, the next start tries again.
    if (!isReadOnly) await this.#write(address, this.#stored)
    return OK
  }

  /** Reads the client secret if no earlier read has found one, for example because the keychain was locked. */
  async findClientSecret(): Promise<Outcome> {
    return this.#stored === undefined ? this.readClientSecret() : OK
  }

  /** True if the connection needs a client secret of the user's, which must be read before the connection opens. */
  get usesClientSecret(): boolean {
    const layers = this.#layers
    return (sourceOf(layers, 'clientSecret') ?? 'user') === 'user' && needsClientSecret(layers)
  }

  /** True if the user's own client secret is only in memory and lost when the app ends. */
  losesClientSecret({ persistence }: Pick<SecretStore, 'persistence'>): boolean {
    return persistence === 'memory' && this.#stored !== undefined && this.view.clientSecret.source === 'user'
  }

  /** True if the client secret isn't used because it is managed while the provider's address is the user's. */
  get isSecretWithheld(): boolean {
    const layers = this.#layers
    return isSecretWithheld(layers) && sourceOf(layers, 'authUrl') === 'user'
  }

  check(input: SettingsInput): Outcome {
    const change = this.#plan(input)
    return change.ok ? OK : invalidFields(change.problems)
  }

  /**
   * Saves all values or none. Fails with `invalidInput`, `notConfirmed`, `keychainUnavailable` or `settingsUnwritable`.
   * @param probe tries a changed address of the service; if that fails, nothing is saved
   */
  save(input: SettingsInput, probe?: ProbeAddress): Promise<Outcome> {
    return this.#options.inTurn(() => this.#save(input, probe))
  }

  async #save(input: SettingsInput, probe: ProbeAddress | undefined): Promise<Outcome> {
    // The client secret may not have been readable when the connection was opened.
    await this.findClientSecret()
    const change = this.#plan(input)
    if (!change.ok) return invalidFields(change.problems)
    const confirmed = await this.#confirm(change.own, input, probe)
    if (!confirmed.ok) return confirmed
    const from = this.connection?.baseAddress
    const after: Layers = { ...this.#layers, user: change.own }
    const to = effective(after, 'baseAddress')
    const issuer = effective(after, 'authUrl')
    const { clientSecret: secret } = change.own
    const stored = secret && issuer !== undefined ? { secret, issuer } : undefined
    const before = this.#stored
    const isMoved = from !== to
    const isNamed = input.clientSecret !== undefined && (stored ?? before) !== undefined
    const isWritten = isMoved ? stored !== undefined : isNamed
    const used = this.#usable
    if (isWritten) {
      const written = await this.#write(to, stored)
      if (!written.ok) return written
    }
    const saved = this.#options.user.save(change.own)
    if (!saved.ok) {
      if (isWritten) await this.#write(to, isMoved ? undefined : before)
      return saved
    }
    if (isMoved || isWritten) this.#stored = stored
    // If the deletion fails, the secret of the old address stays in the keychain, but isn't used.
    if (isMoved && used !== undefined) await this.#write(from, undefined)
    return OK
  }

  /** Removes the connection, and then its client secret from the keychain, even if the secret couldn't be read. */
  async remove(): Promise<Outcome> {
    const address = this.connection?.baseAddress
    const removed = this.#options.user.remove()
    if (!removed.ok) return removed
    await this.#write(address, undefined)
    this.#stored = undefined
    return OK
  }

  /** SECURITY: only the confirmed addresses are contacted and saved, whatever has changed while the dialog was open. */
  async #confirm(own: Layer, input: SettingsInput, probe: ProbeAddress | undefined): Promise<Outcome> {
    const asked = this.#destinationChange(own)
    if (asked === undefined) return OK
    const to = asked.addresses.find(({ field }) => field === 'baseAddress')?.to
    const isTried = probe !== undefined && to !== undefined
    const confirmed = await this.#options.confirm(asked, isTried ? () => probe(to) : undefined)
    if (!confirmed.ok) return confirmed
    const now = this.#plan(input)
    if (!now.ok) return invalidFields(now.problems)
    return isDeepStrictEqual(this.#destinationChange(now.own), asked) ? OK : NOT_CONFIRMED
  }

  #destinationChange(own: Layer): Extract<DestinationChange, { kind: 'change' }> | undefined {
    const layers = this.#layers
    return destinationChange(layers, { ...layers, user: own })
  }

  #plan(input: SettingsInput): Change {
    const layers = this.#layers
    const change = planChange(layers, input)
    const address = change.ok ? effective({ ...layers, user: change.own }, 'baseAddress') : undefined
    const isTaken = address !== undefined && this.#options.isTaken(address)
    return isTaken ? { ok: false, problems: { baseAddress: 'taken' } } : change
  }

  async #write(address: string | undefined, stored: StoredClientSecret | undefined): Promise<Outcome> {
    return address === undefined ? OK : writeClientSecret(this.#options.secrets, address, stored)
  }

  /** SECURITY: the user's own client secret is only used for the provider for which it was entered. */
  get #usable(): ClientSecret | undefined {
    const provider = effective(this.#layersWithoutSecret, 'authUrl')
    return provider !== undefined && this.#stored?.issuer === provider ? this.#stored.secret : undefined
  }

  get #layers(): Layers {
    const { user, ...managed } = this.#layersWithoutSecret
    const clientSecret = this.#usable
    return { ...managed, user: { ...user, ...(clientSecret === undefined ? {} : { clientSecret }) } }
  }

  get #layersWithoutSecret(): Layers {
    const { policy, environment, user } = this.#options
    return { policy: policy(), environment, user: user.layer() }
  }
}

export function invalidFields(fields: SettingProblems): Extract<Outcome, { ok: false }> {
  return fail({ code: 'invalidInput', fields, details: { operation: 'saveSettings' } })
}

/** The name of a client secret's keychain entry. In the name of a session's entry, `session` follows the address. */
const clientSecretEntryName = (baseAddress: string): string => `${baseAddress} client secret`

interface StoredClientSecret {
  readonly secret: ClientSecret
  /** The address of the secret's provider. It is absent if `secret-tool` has stored the secret. */
  readonly issuer?: string
}

const nonEmpty = v.pipe(v.string(), v.minLength(1))
const entrySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ version: v.literal(1), issuer: nonEmpty, clientSecret: nonEmpty }),
)

/** An entry is the secret, or JSON that also names its provider. If reading it fails, there may still be one. */
export async function readClientSecret(
  store: Pick<SecretStore, 'read'>,
  baseAddress: string,
): Promise<Outcome<StoredClientSecret | undefined>> {
  const result = await store.read(clientSecretEntryName(baseAddress))
  if (result.kind === 'missing') return OK
  if (result.kind !== 'found') return fail({ code: 'keychainUnavailable' })
  const text = result.value.reveal()
  const entry = v.safeParse(entrySchema, text)
  if (!entry.success) return { ok: true, value: { secret: clientSecret(text) } }
  return { ok: true, value: { secret: clientSecret(entry.output.clientSecret), issuer: entry.output.issuer } }
}

/** Writes or deletes a connection's client secret. Fails only with `keychainUnavailable`. */
export function writeClientSecret(
  store: Pick<SecretStore, 'write' | 'delete'>,
  baseAddress: string,
  stored: StoredClientSecret | undefined,
): Promise<Outcome> {
  const name = clientSecretEntryName(baseAddress)
  if (stored === undefined) return store.delete(name)
  const { secret, issuer } = stored
  const value = secret.reveal()
  const text = issuer === undefined ? value : JSON.stringify({ version: 1, issuer, clientSecret: value })
  return store.write(name, entryText(text))
}
