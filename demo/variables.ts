import { SETTINGS } from '../contract/settings.ts'

/** The settings that an environment variable can set. */
type SettingWithVariable = {
  [N in keyof typeof SETTINGS]: (typeof SETTINGS)[N]['variable'] extends string ? N : never
}[keyof typeof SETTINGS]

/**
 * The lines that set the app's environment variables to these values, in the same order. The table of settings is the
 * only code that the demo shares with the app: if both shared code for the protocols, the demo would repeat the app's
 * mistakes instead of revealing them.
 */
export const variableLines = (values: { readonly [N in SettingWithVariable]?: string }): string =>
  Object.entries(values)
    .map(([name, value]) => `${SETTINGS[name as SettingWithVariable].variable}=${value}`)
    .join('\n')
