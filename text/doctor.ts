/** What the check of this computer says. Apart from the catalogues: nobody loads it who doesn't ask for a check. */
import type { DoctorTexts } from './en-doctor.ts'
import type { Format } from './format.ts'
import { LANGUAGES, type Texts } from './index.ts'

const catalogues: Readonly<Record<(typeof LANGUAGES)[number], () => Promise<(format: Format) => DoctorTexts>>> = {
  en: async () => {
    const { enDoctor } = await import('./en-doctor.ts')
    return () => enDoctor
  },
  de: async () => (await import('./de/doctor.ts')).deDoctor,
  es: async () => (await import('./es/doctor.ts')).esDoctor,
  fr: async () => (await import('./fr/doctor.ts')).frDoctor,
}

/** In the language of a person's catalogue. */
export async function loadDoctorTexts({ language, format }: Pick<Texts, 'language' | 'format'>): Promise<DoctorTexts> {
  const spoken = LANGUAGES.find((each) => each === language) ?? 'en'
  return (await catalogues[spoken]())(format)
}
