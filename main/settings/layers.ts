import type { CallInput } from '../../contract/calls.ts'
import type { SettingRow } from '../../contract/setting-rows.ts'
import {
  APP_SETTING_NAMES,
  type AppSettingName,
  isLocked,
  isManagedSource,
  mayBeNull,
  NEEDED,
  SETTING_FIELDS,
  SETTINGS,
  type SettingField,
  type SettingProblem,
  type SettingProblems,
  SOURCES,
  type Source,
  type ValueName,
} from '../../contract/settings.ts'
import type { Connection, IdentityProviderSettings } from '../session/connection.ts'
import { valueDefect } from './defects.ts'
import type { SettingsProblem } from './problems.ts'
import { checkValue, hostAndPathOf, type Value, valueOfText } from './values.ts'

/** The values that one source sets. They are those of a connection, unless `N` names other values. */
export type Layer<N extends ValueName = SettingField> = { readonly [F in N]?: Value<F> }

/** The values that the policy sets. `null` locks a value as empty, so that no other source can set it. */
export type ManagedLayer<N extends ValueName = SettingField> = { readonly [F in N]?: Value<F> | null }

export type AppLayer = Layer<AppSettingName>

export interface Layers<N extends ValueName = SettingField> {
  readonly policy: ManagedLayer<N>
  readonly environment: Layer<N>
  readonly user: Layer<N>
}

export function sourceOf<N extends ValueName>(layers: Layers<N>, name: N): Source | undefined {
  return SOURCES.find((source) => layers[source][name] !== undefined)
}

export function explicitValue<N extends ValueName>(layers: Layers<N>, name: N): Value<N> | undefined {
  const source = sourceOf(layers, name)
  return source === undefined ? undefined : ((layers[source][name] ?? undefined) as Value<N> | undefined)
}

/** A setting's value; `undefined` only if no source sets it and the setting has no default. */
export type EffectiveValue<N extends ValueName> =
  | Value<N>
  | ((typeof SETTINGS)[N]['default'] extends undefined ? undefined : never)

export function effective<N extends ValueName>(layers: Layers<N>, name: N): EffectiveValue<N> {
  return (explicitValue(layers, name) ?? SETTINGS[name].default) as EffectiveValue<N>
}

export function isManaged<N extends ValueName>(layers: Layers<N>, name: N): boolean {
  return isManagedSource(sourceOf(layers, name))
}

function mayUserSet<N extends ValueName>(layers: Layers<N>, name: N): boolean {
  return !isLocked(name, sourceOf(layers, name))
}

/** A wrong value becomes a problem, and the others still apply. A `whenWrong` of the setting replaces the value. */
export function readLayer<N extends ValueName>(
  source: Source,
  names: readonly N[],
  values: { readonly [F in N]?: unknown },
  whereOf: (name: N) => string = (name) => name,
): { readonly layer: Layer<N>; readonly problems: readonly SettingsProblem[] } {
  const layer: { [F in N]?: Value<F> } = {}
  const problems: SettingsProblem[] = []
  for (const name of names) {
    if (values[name] === undefined) continue
    const checked = checkValue(name, values[name])
    const { whenWrong }: SettingRow = SETTINGS[name]
    if (checked.ok) layer[name] = checked.value
    else if (whenWrong !== undefined) layer[name] = whenWrong as Value<N>
    if (!checked.ok) {
      const defect = valueDefect(name, values[name], checked.problem)
      const problem = whenWrong === undefined ? 'unusable' : 'strictest'
      problems.push({ source, where: whereOf(name), problem, ...(defect === undefined ? {} : { defect }) })
    }
  }
  return { layer, problems }
}

/** Reads the values of the policy. `null` keeps a value empty, so users can't set it. */
export function readManaged<N extends ValueName>(
  names: readonly N[],
  values: { readonly [F in N]?: unknown },
  whereOf?: (name: N) => string,
): { readonly layer: ManagedLayer<N>; readonly problems: readonly SettingsProblem[] } {
  const isNull = (name: N) => values[name] === null && mayBeNull(name)
  const { layer, problems } = readLayer(
    'policy',
    names.filter((name) => !isNull(name)),
    values,
    whereOf,
  )
  return { layer: { ...layer, ...Object.fromEntries(names.filter(isNull).map((name) => [name, null])) }, problems }
}

export type Variables = Readonly<Record<string, string | undefined>>

export interface EnvironmentReading {
  readonly layer: Layer
  readonly app: AppLayer
  readonly problems: readonly SettingsProblem[]
}

export function readEnvironment(variables: Variables): EnvironmentReading {
  const { layer, problems } = readVariables(SETTING_FIELDS, variables)
  const app = readVariables(APP_SETTING_NAMES, variables)
  return { layer, app: app.layer, problems: [...problems, ...app.problems] }
}

/** Reads the values of the environment. An empty variable is treated as unset. */
function readVariables<N extends ValueName>(names: readonly N[], variables: Variables) {
  const values: { [F in N]?: unknown } = {}
  for (const name of names) {
    const { variable } = SETTINGS[name]
    const text = variable === undefined ? '' : variables[variable]
    if (text !== undefined && text !== '') values[name] = valueOfText(name, text)
  }
  return readLayer('environment', names, values, (name) => SETTINGS[name].variable ?? name)
}

/** `undefined` without a base address. The provider is absent unless all its required values are set. */
export function resolveConnection(layers: Layers): Connection | undefined {
  const source = sourceOf(layers, 'baseAddress')
  const baseAddress = effective(layers, 'baseAddress')
  if (source === undefined || baseAddress === undefined) return undefined
  const identityProvider = resolveProvider(layers)
  return {
    baseAddress,
    host: hostAndPathOf(baseAddress),
    source,
    ...present(layers, 'displayName', 'dataAddress'),
    ...(identityProvider === undefined ? {} : { identityProvider }),
  }
}

/** True if all required values of the provider are set, whether or not the client secret is. */
export const needsClientSecret = (layers: Layers): boolean =>
  NEEDED[effective(layers, 'flow')].every((field) => field === 'clientSecret' || effective(layers, field) !== undefined)

function present<F extends SettingField>(layers: Layers, ...fields: readonly F[]): { readonly [G in F]?: Value<G> } {
  const entries = fields.map((field) => [field, effective(layers, field)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as { readonly [G in F]?: Value<G> }
}

function resolveProvider(layers: Layers): IdentityProviderSettings | undefined {
  const authUrl = effective(layers, 'authUrl')
  const clientId = effective(layers, 'clientId')
  const scope = effective(layers, 'scope')
  if (authUrl === undefined || clientId === undefined || scope === undefined) return undefined
  const common = { authUrl, clientId, scope }
  const secret = isSecretWithheld(layers) ? {} : present(layers, 'clientSecret')
  if (effective(layers, 'flow') === 'browser') {
    const others = present(layers, 'audience', 'redirectPort', 'resource', 'prompt')
    return { flow: 'browser', ...common, ...secret, ...others }
  }
  const audience = effective(layers, 'audience')
  const { clientSecret } = secret
  if (audience === undefined || clientSecret === undefined) return undefined
  const realm = effective(layers, 'realm')
  const providerDomain = effective(layers, 'providerDomain') ?? new URL(authUrl).host
  return { flow: 'password-realm', ...common, audience, clientSecret, realm, providerDomain }
}

/** SECURITY: a managed secret is only sent to a managed address: a malicious page could have changed the user's. */
export function isSecretWithheld(layers: Layers): boolean {
  return isManaged(layers, 'clientSecret') && !isManaged(layers, 'authUrl')
}

export type SettingsInput = CallInput<'checkSettings'>

export type Change =
  | { readonly ok: true; readonly own: Layer }
  | { readonly ok: false; readonly problems: SettingProblems }

/** Applies a change. Values that are empty in `input` are removed, and values that `input` doesn't contain stay. */
export function planChange(layers: Layers, input: SettingsInput): Change {
  const own: { [F in SettingField]?: Layer[F] } = { ...layers.user }
  const problems: { [F in SettingField]?: SettingProblem } = {}
  for (const field of SETTING_FIELDS) {
    const value = input[field]
    if (value === undefined) continue
    const checked = checkValue(field, valueOfText(field, value))
    if (!mayUserSet(layers, field)) problems[field] = 'managed'
    else if (value.trim() === '') delete own[field]
    else if (checked.ok) Object.assign(own, { [field]: checked.value })
    else problems[field] = checked.problem
  }
  const after: Layers = { ...layers, user: own as Layer }
  const isSet = (field: SettingField) => problems[field] !== undefined || sourceOf(after, field) !== undefined
  const isMissing = (field: SettingField) => !isSet(field) && SETTINGS[field].default === undefined
  const isOwn = (field: SettingField) => isSet(field) && mayUserSet(layers, field)
  if (!isSet('baseAddress')) problems.baseAddress = 'missing'
  const needed = NEEDED[effective(after, 'flow')]
  if (needed.some(isOwn)) {
    for (const field of needed) if (isMissing(field)) problems[field] = 'missing'
  }
  if (isSecretWithheld(layers) && (problems.authUrl === 'missing' || (input.authUrl && !problems.authUrl))) {
    problems.authUrl = 'managedSecret'
  }
  // SECURITY: a secret only goes to the address for which it was entered: a malicious page could change the address.
  const authUrl = effective(after, 'authUrl')
  const isElsewhere = authUrl !== undefined && authUrl !== effective(layers, 'authUrl')
  if (isElsewhere && own.clientSecret !== undefined && input.clientSecret === undefined)
    problems.clientSecret = 'enterAgain'
  // If the policy forbids providers, no secret is stored, because it could be sent to one that is set later.
  if (authUrl === undefined && own.clientSecret !== undefined) problems.authUrl ??= 'managed'
  return Object.keys(problems).length === 0 ? { ok: true, own: after.user } : { ok: false, problems }
}
