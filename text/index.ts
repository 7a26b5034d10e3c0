/** Each catalogue is a module of its own, so that only the user's language is loaded. */
import type { Texts } from './en/index.ts'
import { createFormat, type Format } from './format.ts'
import { type System, systemOf } from './system.ts'

export type { Texts }

type Catalogue = (format: Format, system: System) => Texts

const catalogues = {
  en: async () => (await import('./en/index.ts')).en,
  de: async () => (await import('./de/index.ts')).de,
  es: async () => (await import('./es/index.ts')).es,
  fr: async () => (await import('./fr/index.ts')).fr,
} satisfies Record<string, () => Promise<Catalogue>>

export const LANGUAGES = Object.keys(catalogues) as readonly (keyof typeof catalogues)[]

/**
 * The texts for a system locale (BCP 47, such as `de-AT`); in English if there is no catalogue for it. Some words, such
 * as `keychain` or `keyring`, depend on the platform.
 * @param timeLocale decides how times look, whatever the language.
 */
export async function loadTexts(locale: string, platform = 'linux', timeLocale = locale): Promise<Texts> {
  const system = systemOf(platform)
  const person = canonical(locale) ?? 'en'
  const times = canonical(timeLocale) ?? person
  const language = new Intl.Locale(person).language
  if (!isSpoken(language)) return (await catalogues.en())(createFormat('en', times), system)
  return (await catalogues[language]())(createFormat(person, times), system)
}

const isSpoken = (language: string): language is keyof typeof catalogues => Object.hasOwn(catalogues, language)

function canonical(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0]
  } catch {
    return undefined
  }
}
