/** Reports every value that a source sets. Of a secret, only the name is reported. */
import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { APP_SETTING_NAMES, SETTING_FIELDS, SETTINGS, type Source, type ValueName } from '../../contract/settings.ts'
import type { Settings } from './settings.ts'

interface ReportedSetting {
  /** The setting's name. The connection's name comes first, unless it is the default connection. */
  readonly name: string
  /** The value, which is absent for a secret. It is `null` if the administrator locked the setting as empty. */
  readonly value?: string | null
  readonly source: Source
  readonly where?: string
}

interface Reading {
  readonly value?: string | boolean | undefined
  readonly source?: Source | undefined
}

export function reportSettings(
  settings: Pick<Settings, 'names' | 'of' | 'app' | 'whereOf'>,
): readonly ReportedSetting[] {
  const ofConnections = settings.names.flatMap((connection) => {
    const { view } = settings.of(connection)
    const prefix = connection === DEFAULT_CONNECTION ? '' : `${connection}.`
    return SETTING_FIELDS.flatMap((field) => report(field, view[field], settings.whereOf(field, connection), prefix))
  })
  const ofApp = APP_SETTING_NAMES.flatMap((name) => report(name, settings.app.of(name), settings.whereOf(name)))
  return [...ofConnections, ...ofApp]
}

function report(
  setting: ValueName,
  { value, source }: Reading,
  where: string | undefined,
  prefix = '',
): readonly ReportedSetting[] {
  if (source === undefined) return []
  const from = { source, ...(source === 'policy' && where !== undefined && { where }) }
  const name = `${prefix}${setting}`
  // SECURITY: the table of settings says which values are secret, so a secret that is added later is covered, too.
  if (SETTINGS[setting].kind === 'secret') return [{ name, ...from }]
  return [{ name, value: value === undefined ? null : String(value), ...from }]
}
