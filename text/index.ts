/** Which catalogue fits a person. English is built in; other languages join as modules loaded on demand. */
import { en } from './en.ts'
import { createFormat, type Format } from './format.ts'

/** Every text of the app: a catalogue that lacks one, or has one too many, doesn't compile. */
export type Texts = ReturnType<typeof en>

type Catalogue = (format: Format) => Texts

const catalogues: Record<string, () => Promise<Catalogue>> = {
  en: async () => en,
}

/**
 * The texts for a locale as the system tells it (BCP 47, such as `de-AT`); in English where there are none in
 * its language, or where it is no locale.
 */
export async function loadTexts(locale: string): Promise<Texts> {
  const person = canonical(locale) ?? 'en'
  const language = new Intl.Locale(person).language
  const load = catalogues[language]
  if (load === undefined) return en(createFormat('en', person))
  return (await load())(createFormat(person))
}

function canonical(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0]
  } catch {
    return undefined
  }
}
