/** The values of each source, and which source wins. */
import type { SettingRow } from '../../contract/setting-rows.ts'
import {
  APP_SETTING_NAMES,
  type AppSettingName,
  isLocked,
  isManagedSource,
  mayBeNull,
  SETTING_FIELDS,
  SETTINGS,
  type SettingField,
  SOURCES,
  type Source,
  type ValueName,
} from '../../contract/settings.ts'
import { valueDefect } from './defects.ts'
import type { Variables } from './environment.ts'
import type { SettingsProblem } from './problems.ts'
import { checkValue, type Value, valueOfText } from './values.ts'

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

/** The first source that sets the value or locks it as empty. */
export function sourceOf<N extends ValueName>(layers: Layers<N>, name: N): Source | undefined {
  return SOURCES.find((source) => layers[source][name] !== undefined)
}

export function pick<N extends ValueName>(layers: Layers<N>, name: N): Value<N> | undefined {
  const source = sourceOf(layers, name)
  return source === undefined ? undefined : ((layers[source][name] ?? undefined) as Value<N> | undefined)
}

/** The value that applies. It is `undefined` only if no source sets it and the setting has no default. */
export type EffectiveValue<N extends ValueName> =
  | Value<N>
  | ((typeof SETTINGS)[N]['default'] extends undefined ? undefined : never)

export function effective<N extends ValueName>(layers: Layers<N>, name: N): EffectiveValue<N> {
  return (pick(layers, name) ?? SETTINGS[name].default) as EffectiveValue<N>
}

export function isManaged<N extends ValueName>(layers: Layers<N>, name: N): boolean {
  return isManagedSource(sourceOf(layers, name))
}

export function mayUserSet<N extends ValueName>(layers: Layers<N>, name: N): boolean {
  return !isLocked(name, sourceOf(layers, name))
}

/**
 * Reads the values of one source. A wrong value becomes a problem, and the other values still apply. If the table names
 * a strictest value for the setting, that applies instead of a wrong one.
 */
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

/** Reads the values of the environment. An empty variable counts as unset. */
function readVariables<N extends ValueName>(names: readonly N[], variables: Variables) {
  const values: { [F in N]?: unknown } = {}
  for (const name of names) {
    const { variable } = SETTINGS[name]
    const text = variable === undefined ? '' : variables[variable]
    if (text !== undefined && text !== '') values[name] = valueOfText(name, text)
  }
  return readLayer('environment', names, values, (name) => SETTINGS[name].variable ?? name)
}
