import { SETTINGS } from '../contract/settings.ts'

type SettingWithVariable = {
  [N in keyof typeof SETTINGS]: (typeof SETTINGS)[N]['variable'] extends string ? N : never
}[keyof typeof SETTINGS]

/**
 * The lines that set the app's environment variables to these values. The demo shares only the table of settings with
 * the app. With shared code for the protocols, the demo would repeat the app's mistakes instead of revealing them.
 */
export const variableLines = (values: { readonly [N in SettingWithVariable]?: string }): string =>
  Object.entries(values)
    .map(([name, value]) => `${SETTINGS[name as SettingWithVariable].variable}=${value}`)
    .join('\n')
