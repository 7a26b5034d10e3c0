import type { Texts } from '../../text/index.ts'
import type { SettingsProblem } from './layer.ts'

/** The sentence for a setting that could not be used. */
export function settingsNotice({ where, key, at, file, problem }: SettingsProblem, texts: Texts): string {
  const named = file === undefined ? key : `${key}: ${file}`
  const place = texts.shell.place(where, { ...at, ...(named === undefined ? {} : { key: named }) })
  return problem === 'unknown' ? texts.shell.unknownSetting(place) : texts.settingsProblem({ where: place, problem })
}
