import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import { isManagedSource, type PolicyPlaceKind, type ValueName } from '../../contract/settings.ts'
import { createInTurn } from '../base/waits.ts'
import type { ProbeAddress, SecretStore } from '../session/ports.ts'
import { AppSettings } from './app-setting.ts'
import { ConnectionSettings, invalidFields } from './connection-settings.ts'
import type { DestinationChange } from './destination.ts'
import type { EnvironmentReading, ManagedLayer } from './layers.ts'
import type { PolicyReading } from './policy.ts'
import { policyPlaceKind } from './policy-places.ts'
import type { SettingsProblem } from './problems.ts'
import type { UserSettings } from './user-settings.ts'
import { checkValue } from './values.ts'

interface SettingsOptions {
  readonly policy: { readonly reading: PolicyReading }
  readonly environment: EnvironmentReading
  readonly user: UserSettings
  readonly secrets: Pick<SecretStore, 'read' | 'write' | 'delete'>
  readonly confirm: (change: DestinationChange, probe?: () => Promise<Outcome>) => Promise<Outcome>
}

export class Settings {
  readonly app: AppSettings
  readonly #options: SettingsOptions
  readonly #made = new Map<string, ConnectionSettings>()
  /** One call at a time, because several could each add a first connection, which needs no confirmation. */
  readonly #inTurn = createInTurn()

  constructor(options: SettingsOptions) {
    this.#options = options
    const { policy, environment, user } = options
    this.app = new AppSettings({
      policy: () => policy.reading.app,
      placeOf: (name) => this.#placeOf(name),
      environment: environment.app,
      user,
    })
  }

  /** The default connection, even if it isn't configured, then the administrator's, then the user's own. */
  get names(): readonly string[] {
    return this.#sorted.names
  }

  of(name: string): ConnectionSettings {
    const made = this.#made.get(name) ?? this.#make(name)
    this.#made.set(name, made)
    return made
  }

  get connections(): readonly NonNullable<ConnectionSettings['connection']>[] {
    return this.names.flatMap((name) => this.of(name).connection ?? [])
  }

  /** The hosts and ports of the services, providers and data services whose address is managed. */
  get managedHosts(): readonly string[] {
    return this.names.flatMap((name) => {
      const { baseAddress, authUrl, dataAddress } = this.of(name).view
      return [baseAddress, authUrl, dataAddress].flatMap(({ source, value }) =>
        isManagedSource(source) && value !== undefined ? new URL(value).host : [],
      )
    })
  }

  get problems(): readonly SettingsProblem[] {
    const { policy, environment, user } = this.#options
    const connections = [DEFAULT_CONNECTION, ...this.#userNames].flatMap((name) => user.layer(name).problems)
    const own = [...connections, ...user.app.problems]
    const hidden = this.mayAdd ? [] : this.#userNames.filter((name) => !this.#policyLayers.has(name))
    const leftOut = hidden.map(
      (name) => ({ source: 'user', where: `connections.${name}`, problem: 'notAllowed' }) as const,
    )
    const withheld = this.names.flatMap((name) => {
      const where = name === DEFAULT_CONNECTION ? 'authUrl' : `connections.${name}.authUrl`
      return this.of(name).isSecretWithheld ? [{ source: 'user', where, problem: 'managedSecret' } as const] : []
    })
    const found = [...policy.reading.problems, ...environment.problems, ...own]
    return [...found, ...leftOut, ...this.#sorted.problems, ...withheld]
  }

  /**
   * If `userConnections` isn't set, users can add connections, unless the policy lists some or manages the default
   * address. SECURITY: otherwise, a malicious page could add an address and send typed credentials there.
   */
  get mayAdd(): boolean {
    const { connections } = this.#options.policy.reading
    const { source = 'user' } = this.of(DEFAULT_CONNECTION).view.baseAddress
    const { value, source: setBy } = this.app.of('userConnections')
    const isLocked = setBy !== 'policy' && (connections !== undefined || source === 'policy')
    return !isLocked && (value ?? source === 'user')
  }

  isOwn(name: string): boolean {
    return this.#userNames.includes(name) && !this.#policyLayers.has(name)
  }

  /** Fails with `invalidInput`, `notConfirmed` or `settingsUnwritable`, or as `probe` does, which tries the address. */
  add(name: string, baseAddress: string, probe?: ProbeAddress): Promise<Outcome> {
    return this.#inTurn(async () => {
      const asked = this.#checkNew(name, baseAddress)
      if (!asked.ok) return asked
      const existing = this.connections[0]?.baseAddress
      const added = asked.value
      const change = { kind: 'addition', ...(existing && { existing }), added } as const
      const confirmed = await this.#confirm(change, probe && (() => probe(added)))
      if (!confirmed.ok) return confirmed
      // SECURITY: while the dialog was open, the policy may have forbidden additions, or the name may have been taken.
      const now = this.#checkNew(name, baseAddress)
      return now.ok ? this.#options.user.save(name, { baseAddress: added }) : now
    })
  }

  #checkNew(name: string, baseAddress: string): Outcome<string> {
    if (!this.mayAdd) return invalidFields({ baseAddress: 'managed' })
    if (this.names.includes(name)) return invalidFields({ name: 'taken' })
    const checked = checkValue('baseAddress', baseAddress)
    if (!checked.ok) return invalidFields({ baseAddress: checked.problem })
    if (this.#isTaken(checked.value, name)) return invalidFields({ baseAddress: 'taken' })
    return checked
  }

  /** True if no connection and no session was ever stored, and no connection is managed. */
  get isFirst(): boolean {
    return this.#options.user.isNew && this.connections.length === 0
  }

  /** SECURITY: every change needs confirmation, except for the first connection of a new installation. */
  async #confirm(change: DestinationChange, probe?: () => Promise<Outcome>): Promise<Outcome> {
    return this.isFirst ? (probe?.() ?? OK) : this.#options.confirm(change, probe)
  }

  async remove(name: string): Promise<Outcome> {
    if (!this.isOwn(name)) return OK
    const removed = await this.of(name).remove()
    if (removed.ok) this.#made.delete(name)
    return removed
  }

  async readClientSecrets(): Promise<void> {
    await Promise.all(this.names.map((name) => this.of(name).readClientSecret({ isReadOnly: true })))
  }

  losesClientSecret(store: Pick<SecretStore, 'persistence'>): boolean {
    return this.names.some((name) => this.of(name).losesClientSecret(store))
  }

  #make(name: string): ConnectionSettings {
    const { environment, user, secrets } = this.#options
    return new ConnectionSettings({
      policy: () => this.#policyLayers.get(name) ?? {},
      placeOf: (field) => this.#placeOf(field, name),
      environment: name === DEFAULT_CONNECTION ? environment.layer : {},
      user: {
        layer: () => user.layer(name).layer,
        save: (values) => user.save(name, values),
        remove: () => user.remove(name),
      },
      isTaken: (baseAddress) => this.#isTaken(baseAddress, name),
      secrets,
      confirm: (change, probe) => this.#confirm(change, probe),
      inTurn: this.#inTurn,
    })
  }

  whereOf(setting: ValueName, connection: string = DEFAULT_CONNECTION): string | undefined {
    const key = connection === DEFAULT_CONNECTION ? setting : `connections.${connection}.${setting}`
    return this.#options.policy.reading.keys?.get(key)?.where
  }

  #placeOf(setting: ValueName, connection?: string): PolicyPlaceKind | undefined {
    const where = this.whereOf(setting, connection)
    return where === undefined ? undefined : policyPlaceKind(where)
  }

  #isTaken(baseAddress: string, name: string): boolean {
    return this.names.some((other) => other !== name && this.of(other).view.baseAddress.value === baseAddress)
  }

  /** Two connections with one address would share a session, so the later one is ignored and reported. */
  get #sorted(): { readonly names: readonly string[]; readonly problems: readonly SettingsProblem[] } {
    const names: string[] = [DEFAULT_CONNECTION]
    const problems: SettingsProblem[] = []
    const addresses = new Set([this.of(DEFAULT_CONNECTION).view.baseAddress.value])
    for (const name of new Set([...this.#policyLayers.keys(), ...(this.mayAdd ? this.#userNames : [])])) {
      if (name === DEFAULT_CONNECTION) continue
      const { value: address, source = 'user' } = this.of(name).view.baseAddress
      if (address === undefined) continue
      const where = `connections.${name}`
      const keyInPolicy = source === 'policy' ? this.#options.policy.reading.keys?.get(where) : undefined
      if (addresses.has(address)) problems.push({ source, where, ...keyInPolicy, problem: 'taken' })
      else names.push(name)
      addresses.add(address)
    }
    return { names, problems }
  }

  get #policyLayers(): ReadonlyMap<string, ManagedLayer> {
    const { layer, connections } = this.#options.policy.reading
    const all = [[DEFAULT_CONNECTION, layer] as const, ...(connections ?? [])]
    // If the administrator leaves out an address, users can't set one, to which the connection's secrets would go.
    const locked = connections === undefined ? {} : { baseAddress: null }
    return new Map(all.map(([name, each]) => [name, { ...locked, ...each }]))
  }

  get #userNames(): readonly string[] {
    return this.#options.user.names
  }
}
