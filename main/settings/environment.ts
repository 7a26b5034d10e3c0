import type { SettingField } from '../../contract/settings.ts'
import { type Layer, readLayer, type SettingsProblem } from './layer.ts'
import { VARIABLES, type Variables } from './variables.ts'

/** Reads the environment's layer. An empty variable counts as unset. */
export function readEnvironment(variables: Variables): {
  readonly layer: Layer
  readonly problems: readonly SettingsProblem[]
} {
  const values: { [F in SettingField]?: string } = {}
  for (const [field, variable] of Object.entries(VARIABLES) as [SettingField, string][]) {
    const value = variables[variable]
    if (value !== undefined && value !== '') values[field] = value
  }
  return readLayer('environment', values, (field) => VARIABLES[field])
}
