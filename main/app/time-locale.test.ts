import { expect, it } from 'vitest'
import { timeLocale } from './time-locale.ts'

it.each([
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8', LC_ALL: 'fr_FR' }, 'fr-FR'],
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8', LC_ALL: '' }, 'de-DE'],
  [{ LANG: 'es_419', LC_TIME: '' }, 'es-419'],
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'C.UTF-8' }, undefined],
  [{ LC_TIME: 'sr_RS.UTF-8@latin' }, 'sr-Latn-RS'],
  [{}, undefined],
])('on Linux with %j, the locale of times is %s; elsewhere, it is that of the system’s region', (env, locale) => {
  expect(timeLocale(env, 'linux', () => 'it-IT')).toBe(locale)
  expect(timeLocale(env, 'win32', () => 'it-IT')).toBe('it-IT')
})
