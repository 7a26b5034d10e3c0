import { APP_ROWS, CONNECTION_ROWS, type Flow, type SettingRow, type StructureKind } from './setting-rows.ts'

export const NEEDED: { readonly [F in Flow]: readonly SettingField[] } = {
  'password-realm': ['authUrl', 'scope', 'audience', 'clientId', 'clientSecret'],
  browser: ['authUrl', 'scope', 'clientId'],
}

/** What single sign-on still needs. Values can be missing, because a policy or an environment may be incomplete. */
export function missingValues(settings: SettingsView): readonly SettingField[] {
  if (settings.authUrl.value === undefined) return []
  const flow = settings.flow.value === 'browser' ? 'browser' : 'password-realm'
  // For the secret, the view says only whether there is one.
  return NEEDED[flow].filter((field) => settings[field][field === 'clientSecret' ? 'source' : 'value'] === undefined)
}

export const SETTINGS = { ...CONNECTION_ROWS, ...APP_ROWS }

export type SettingName = keyof typeof SETTINGS
export type StructureName = {
  [N in SettingName]: (typeof SETTINGS)[N]['kind'] extends StructureKind ? N : never
}[SettingName]
export type ValueName = Exclude<SettingName, StructureName>
export type SettingField = keyof typeof CONNECTION_ROWS
type ProviderField = {
  [F in SettingField]: (typeof CONNECTION_ROWS)[F] extends { readonly usedBy: string } ? F : never
}[SettingField]
export type AppSettingName = Exclude<keyof typeof APP_ROWS, StructureName>

export type StoredAppSettingName = {
  [N in AppSettingName]: (typeof SETTINGS)[N]['user'] extends 'settings' ? N : never
}[AppSettingName]

export type UserSwitch = {
  [N in AppSettingName]: (typeof SETTINGS)[N] extends { readonly kind: 'switch'; readonly user: string } ? N : never
}[AppSettingName]
/** The switches that the desktop stores. If this system can't store one, the window doesn't show it. */
export type DesktopSwitch = {
  [N in UserSwitch]: (typeof SETTINGS)[N]['user'] extends 'desktop' ? N : never
}[UserSwitch]
export type DestinationField = {
  [F in SettingField]: (typeof SETTINGS)[F]['kind'] extends 'address' ? F : never
}[SettingField]

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]
export const SETTING_FIELDS = Object.keys(CONNECTION_ROWS) as readonly SettingField[]

const usedBy = (field: SettingField): SettingRow['usedBy'] => (SETTINGS[field] as SettingRow).usedBy
/** The values for the identity provider; the first is its address. */
export const PROVIDER_FIELDS = SETTING_FIELDS.filter((field): field is ProviderField => usedBy(field) !== undefined)
export const isUsedBy = (flow: Flow, field: SettingField): boolean => [flow, 'both', undefined].includes(usedBy(field))
export const APP_SETTING_NAMES = (Object.keys(APP_ROWS) as (keyof typeof APP_ROWS)[]).filter(
  (name): name is AppSettingName => !isStructure(name),
)

export const USER_SWITCHES = APP_SETTING_NAMES.filter(
  (name): name is UserSwitch => SETTINGS[name].kind === 'switch' && SETTINGS[name].user !== undefined,
)
export const DESTINATION_FIELDS = SETTING_FIELDS.filter(
  (field): field is DestinationField => SETTINGS[field].kind === 'address',
)

export function isStructure(name: SettingName): name is StructureName {
  const { kind } = SETTINGS[name]
  return kind === 'connections' || kind === 'tls'
}
export const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)
export const isSettingField = (name: string): name is SettingField => Object.hasOwn(CONNECTION_ROWS, name)

/** `null` in the policy locks a value as empty, but not a secret, because the user couldn't see that it is empty. */
export const mayBeNull = (name: ValueName): boolean => isSettingField(name) && SETTINGS[name].kind !== 'secret'

/** If several sources set a value, the first one here wins. In the window, users change only their own value. */
export const SOURCES = ['policy', 'environment', 'user'] as const
export type Source = (typeof SOURCES)[number]

/** SECURITY: a policy that turns the agent off also keeps access tokens from the clipboard. */
export const mayCopyToken = (agent: { readonly enabled: boolean; readonly source?: Source | undefined }): boolean =>
  agent.enabled || agent.source !== 'policy'

export const isManagedSource = (source: Source | undefined): source is Exclude<Source, 'user'> =>
  source !== undefined && source !== 'user'

/** True if the user can't change the value, because of its source or because users can't set it at all. */
export const isLocked = (name: ValueName, source: Source | undefined): boolean =>
  SETTINGS[name].user === undefined || isManagedSource(source)

export type PolicyPlaceKind = 'registry' | 'preferences' | 'file'

export interface SettingView {
  /** The value; absent if there is none, and always absent for the client secret. */
  readonly value?: string
  readonly source?: Source
  readonly place?: PolicyPlaceKind
}

export type SettingsView = { readonly [F in SettingField]: SettingView }

/** `managed`: users can't change the value. `missing`: other values require it. */
export type SettingProblem =
  | 'managed'
  | 'missing'
  | 'unusable'
  | 'notAnAddress'
  /** The stored client secret belongs to another provider. */
  | 'enterAgain'
  /** A managed client secret may be sent only to a managed address, not to the user's. */
  | 'managedSecret'
  /** Another connection has this address, or this name. */
  | 'taken'
  | 'notHttps'
  | 'hasCredentials'
  | 'hasQuery'
/** `name` is the name of a connection that is being added. */
export type SettingProblems = { readonly [F in SettingField | 'name']?: SettingProblem }
