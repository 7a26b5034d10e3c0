/** The texts of the checks of this computer. Separate from the catalogues, because they are only loaded for a check. */
import type { DiagnosticsTexts } from './en/diagnostics.ts'
import type { Format } from './format.ts'
import { LANGUAGES, type Texts } from './index.ts'

const catalogues: Readonly<Record<(typeof LANGUAGES)[number], () => Promise<(format: Format) => DiagnosticsTexts>>> = {
  en: async () => {
    const { enDiagnostics } = await import('./en/diagnostics.ts')
    return () => enDiagnostics
  },
  de: async () => (await import('./de/diagnostics.ts')).deDiagnostics,
  es: async () => (await import('./es/diagnostics.ts')).esDiagnostics,
  fr: async () => (await import('./fr/diagnostics.ts')).frDiagnostics,
}

/** Loads the texts in the language of the user's catalogue. */
export async function loadDiagnosticsTexts({
  language,
  format,
}: Pick<Texts, 'language' | 'format'>): Promise<DiagnosticsTexts> {
  const spoken = LANGUAGES.find((each) => each === language) ?? 'en'
  return (await catalogues[spoken]())(format)
}
