import { expect, it } from 'vitest'
import { timeLocale } from './time-locale.ts'

it.each([
  [{ LANG: 'en_US.UTF-8' }, 'en-US'],
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8' }, 'de-DE'],
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8', LC_ALL: 'fr_FR' }, 'fr-FR'],
  [{ LANG: 'en_US.UTF-8', LC_TIME: '', LC_ALL: '' }, 'en-US'],
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'C.UTF-8' }, undefined],
  [{ LANG: 'POSIX' }, undefined],
  [{}, undefined],
  [{ LC_TIME: 'de_DE@euro' }, 'de-DE'],
  [{ LC_TIME: 'sr_RS.UTF-8@latin' }, 'sr-Latn-RS'],
  [{ LC_TIME: 'eo' }, 'eo'],
  [{ LC_TIME: 'es_419' }, 'es-419'],
  [{ LC_TIME: '../../etc/passwd' }, undefined],
])('on Linux with %j, the locale of times is %s', (env, locale) => {
  expect(timeLocale(env, 'linux', () => 'it-IT')).toBe(locale)
})

it.each(['win32', 'darwin'] as const)('on %s, the locale of times is that of the system’s region', (platform) => {
  expect(timeLocale({ LC_TIME: 'de_DE' }, platform, () => 'it-IT')).toBe('it-IT')
  expect(timeLocale({}, platform, () => '')).toBeUndefined()
})
