import type { Texts } from '../../text/index.ts'
import type { SettingsProblem } from './layer.ts'

/** The sentence for a setting that could not be used. */
export function settingsNotice({ where, key, at, problem }: SettingsProblem, texts: Texts): string {
  const place = texts.shell.place(where, { ...at, ...(key === undefined ? {} : { key }) })
  return problem === 'unknown' ? texts.shell.unknownSetting(place) : texts.settingsProblem({ where: place, problem })
}
