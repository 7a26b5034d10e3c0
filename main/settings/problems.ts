import type { Defect } from '../../contract/defects.ts'
import type { Source } from '../../contract/settings.ts'
import type { Texts } from '../../text/index.ts'
import type { Position } from './json-positions.ts'

/** A value that can't be used. Latchkey tells the user of every such value, and drops none silently. */
export interface SettingsProblem {
  readonly source: Source
  /** The variable, key or file with the problem. */
  readonly where: string
  /** The key in the policy. Absent if the problem is with the whole file. */
  readonly key?: string
  /** The position of the key in the policy file or, if the file is damaged, of the error. */
  readonly at?: Position | undefined
  readonly file?: string
  readonly defect?: Defect
  readonly problem:
    | 'unusable'
    /** The value can't be used, so the setting's strictest value applies. */
    | 'strictest'
    /** The file or key can't be used, so the strictest value of each switch applies. */
    | 'closed'
    | 'unknown'
    | 'missing'
    | 'unreadable'
    | 'unsafe'
    | 'notPrivate'
    | 'damaged'
    | 'taken'
    | 'managedSecret'
    | 'notAllowed'
}

/** A problem with one key of the policy. `key` is the key's path, such as `connections.staging.baseAddress`. */
export type KeyProblem = Pick<SettingsProblem, 'file' | 'problem' | 'defect'> & { readonly key: string }

export function settingsNotice({ where, key, at, file, problem, defect }: SettingsProblem, texts: Texts): string {
  const named = file === undefined ? key : `${key}: ${file}`
  const location = texts.desktop.location(where, { ...at, ...(named === undefined ? {} : { key: named }) })
  const ignored =
    problem === 'unknown' ? texts.desktop.unknownSetting(location) : texts.settingsProblem({ where: location, problem })
  return defect === undefined ? ignored : `${ignored} ${texts.defect(defect)}`
}
