/** What the table of settings says, the window's view of the settings, and the possible problems with a value. */
import { APP_ROWS, CONNECTION_ROWS, type Flow, type StructureKind } from './setting-rows.ts'

/** Values that only one of the flows uses. */
const OF_ONE_FLOW: { readonly [F in SettingField]?: Flow } = {
  providerDomain: 'password-realm',
  realm: 'password-realm',
  redirectPort: 'browser',
  resource: 'browser',
  prompt: 'browser',
}
export const isUsedBy = (flow: Flow, field: SettingField): boolean => (OF_ONE_FLOW[field] ?? flow) === flow

/** The values that must be set, for each flow. */
export const NEEDED: { readonly [F in Flow]: readonly SettingField[] } = {
  'password-realm': ['authUrl', 'scope', 'audience', 'clientId', 'clientSecret'],
  browser: ['authUrl', 'scope', 'clientId'],
}

/**
 * The values that single sign-on still needs; none if nobody has begun to set it up. Users can't save incomplete
 * values, so these come from the policy or the environment.
 */
export function missingValues(settings: SettingsView): readonly SettingField[] {
  if (settings.authUrl.value === undefined) return []
  const flow = settings.flow.value === 'browser' ? 'browser' : 'password-realm'
  // No view contains the client secret.
  return NEEDED[flow].filter((field) => settings[field][field === 'clientSecret' ? 'source' : 'value'] === undefined)
}

export const SETTINGS = { ...CONNECTION_ROWS, ...APP_ROWS }

export type SettingName = keyof typeof SETTINGS
export type StructureName = {
  [N in SettingName]: (typeof SETTINGS)[N]['kind'] extends StructureKind ? N : never
}[SettingName]
/** The settings with a single value. */
export type ValueName = Exclude<SettingName, StructureName>
/** The single-valued settings of a connection. */
export type SettingField = keyof typeof CONNECTION_ROWS
/** The single-valued settings of the app. */
export type AppSettingName = Exclude<keyof typeof APP_ROWS, StructureName>

/** The settings of the app whose user value is stored in the settings file. */
export type StoredAppSettingName = {
  [N in AppSettingName]: (typeof SETTINGS)[N]['user'] extends 'settings' ? N : never
}[AppSettingName]

/** The switches that users can change in the window. */
export type UserSwitch = {
  [N in AppSettingName]: (typeof SETTINGS)[N] extends { readonly kind: 'switch'; readonly user: string } ? N : never
}[AppSettingName]
/** The switches that the desktop stores. A switch that this system can't store is missing in the window. */
export type DesktopSwitch = {
  [N in UserSwitch]: (typeof SETTINGS)[N]['user'] extends 'desktop' ? N : never
}[UserSwitch]
/** The values of a connection that say where credentials are sent. */
export type DestinationField = {
  [F in SettingField]: (typeof SETTINGS)[F]['kind'] extends 'address' ? F : never
}[SettingField]

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]
export const SETTING_FIELDS = Object.keys(CONNECTION_ROWS) as readonly SettingField[]
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

/**
 * True if the policy can set the value to `null`, which locks it as empty. A secret can't be `null`: the window never
 * shows a secret, so the user could not see that the locked secret is empty.
 */
export const mayBeNull = (name: ValueName): boolean => isSettingField(name) && SETTINGS[name].kind !== 'secret'

/**
 * The source of a value. If several sources set the value, the first in this list wins. In the window, users can
 * change only their own values.
 */
export const SOURCES = ['policy', 'environment', 'user'] as const
export type Source = (typeof SOURCES)[number]

/** True if the value comes from the administrator or the environment. */
export const isManagedSource = (source: Source | undefined): source is Exclude<Source, 'user'> =>
  source !== undefined && source !== 'user'

/** True if the user can't change a value: because of its source, or because users can't set it at all. */
export const isLocked = (name: ValueName, source: Source | undefined): boolean =>
  SETTINGS[name].user === undefined || isManagedSource(source)

/** The kinds of place that the policy can be in. */
export type PolicyPlaceKind = 'registry' | 'preferences' | 'file'

export interface SettingView {
  /** Absent if the setting has no value, and always absent for the client secret. */
  readonly value?: string
  /** The source that set the value; absent if no source did. */
  readonly source?: Source
  /** The place in the policy, if the policy set the value. */
  readonly place?: PolicyPlaceKind
}

export type SettingsView = { readonly [F in SettingField]: SettingView }

/** The problem with a value. `managed`: users can't change it. `missing`: other values require it. */
export type SettingProblem =
  | 'managed'
  | 'missing'
  | 'unusable'
  | 'notAnAddress'
  /** The existing client secret belongs to another provider. */
  | 'enterAgain'
  /** The client secret is managed, so it may only be sent to a managed address, never to an address from the user. */
  | 'managedSecret'
  /** Another connection has this address, or this name. */
  | 'taken'
  | 'notHttps'
  | 'hasCredentials'
  | 'hasQuery'
/** `name`: the name of a connection to be added. */
export type SettingProblems = { readonly [F in SettingField | 'name']?: SettingProblem }
