/** A POSIX locale's name, such as `sr_RS.UTF-8@latin` (setlocale(3)). */
const NAME = /^(?<language>[a-z]{2,3})(?:_(?<region>[A-Z]{2}|\d{3}))?(?:\.[^@]*)?(?:@(?<modifier>.*))?$/
const SCRIPTS: Readonly<Record<string, string>> = { latin: 'Latn', cyrillic: 'Cyrl' }

/**
 * `undefined` if times are written in the app's language. On Linux, `LC_ALL`, `LC_TIME` and `LANG` decide, in this
 * order (locale(7)); Chromium ignores `LC_TIME`. Elsewhere, the system's region does (Electron: app.getSystemLocale).
 */
export function timeLocale(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  system: () => string,
): string | undefined {
  if (platform !== 'linux') return system() || undefined
  const found = NAME.exec(env['LC_ALL'] || env['LC_TIME'] || env['LANG'] || '')?.groups
  // C and POSIX belong to no language.
  if (found === undefined) return undefined
  const { language, region, modifier = '' } = found
  return [language, SCRIPTS[modifier], region].filter((part) => part !== undefined).join('-')
}
