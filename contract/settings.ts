/** The values of a connection, where each comes from, and what can be wrong with one. */

/** The values of a connection. */
export const SETTING_FIELDS = [
  'baseAddress',
  'authUrl',
  'providerDomain',
  'realm',
  'scope',
  'audience',
  'clientId',
  'clientSecret',
] as const
export type SettingField = (typeof SETTING_FIELDS)[number]

/** Where a value comes from; the first that has it wins. What isn't the user's own can't be changed in the window. */
export const SOURCES = ['policy', 'environment', 'user'] as const
export type Source = (typeof SOURCES)[number]

export interface SettingView {
  /** Absent where nobody has set it, and always for the client secret. */
  readonly value?: string
  /** Who set it; absent where nobody has. */
  readonly source?: Source
}

export type SettingsView = { readonly [F in SettingField]: SettingView }

/** Why a value can't be used. `managed`: it is not the user's to change. `missing`: the others need it. */
export type SettingProblem =
  | 'managed'
  | 'missing'
  | 'unusable'
  | 'notAnAddress'
  /** The client secret there is goes to another provider. */
  | 'enterAgain'
  /** The client secret is managed: it goes to a managed address, and not to the user's. */
  | 'managedSecret'
  /** Another connection has this address, or this name. */
  | 'taken'
  | 'notHttps'
  | 'hasCredentials'
  | 'hasQuery'
/** `name`: of a connection that is to be added. */
export type SettingProblems = { readonly [F in SettingField | 'name']?: SettingProblem }
