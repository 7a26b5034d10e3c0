/** The texts of the checks of this computer. They aren't in the catalogues, because only a check loads them. */
import type { DiagnosticsTexts } from './en/diagnostics.ts'
import type { Format } from './format.ts'
import { LANGUAGES, type Texts } from './index.ts'
import type { System } from './system.ts'

type Catalogue = (format: Format, system: System) => DiagnosticsTexts

const catalogues: Readonly<Record<(typeof LANGUAGES)[number], () => Promise<Catalogue>>> = {
  en: async () => {
    const { enDiagnostics } = await import('./en/diagnostics.ts')
    return (_, system) => enDiagnostics(system)
  },
  de: async () => (await import('./de/diagnostics.ts')).deDiagnostics,
  es: async () => (await import('./es/diagnostics.ts')).esDiagnostics,
  fr: async () => (await import('./fr/diagnostics.ts')).frDiagnostics,
}

export async function loadDiagnosticsTexts({
  language,
  format,
  system,
}: Pick<Texts, 'language' | 'format' | 'system'>): Promise<DiagnosticsTexts> {
  const spoken = LANGUAGES.find((each) => each === language) ?? 'en'
  return (await catalogues[spoken]())(format, system)
}
