/** The values of a connection, as a form: what each is called in the environment, and what has been changed. */
import type { RefObject } from 'preact'
import type { CallInput } from '../../../contract/calls.ts'
import { SETTING_FIELDS, type SettingField, type SettingsView, type SettingView } from '../../../contract/settings.ts'

/** The interface's own realm (endpoint 5), where nobody has set one. */
export const DEFAULT_REALM = 'Username-Password-Authentication'

export const VARIABLES: Readonly<Record<SettingField, string>> = {
  baseAddress: 'LATCHKEY_BASE_URL',
  authUrl: 'LATCHKEY_AUTH_URL',
  providerDomain: 'LATCHKEY_SSO_PROVIDER_DOMAIN',
  realm: 'LATCHKEY_SSO_REALM',
  scope: 'LATCHKEY_SSO_SCOPE',
  audience: 'LATCHKEY_SSO_AUDIENCE',
  clientId: 'LATCHKEY_SSO_CLIENT_ID',
  clientSecret: 'LATCHKEY_SSO_CLIENT_SECRET',
}

/** All but the service's own: what single sign-on takes, in the order of filling in. */
export const PROVIDER_FIELDS = SETTING_FIELDS.filter((field) => field !== 'baseAddress')

export type Inputs = { readonly [F in SettingField]: RefObject<HTMLInputElement> }
export type Changes = CallInput<'saveSettings'>

export const isManaged = ({ source }: SettingView): boolean => source !== undefined && source !== 'user'

/** What was typed that isn't set already. The client secret is told by `changesWithSecret` alone. */
export function changes(inputs: Inputs, settings: SettingsView): Changes {
  const changed: { -readonly [F in SettingField]?: string } = {}
  for (const field of SETTING_FIELDS) {
    const typed = inputs[field].current?.value.trim()
    if (field === 'clientSecret' || typed === undefined || isManaged(settings[field])) continue
    if (typed !== (settings[field].value ?? '')) changed[field] = typed
  }
  return changed
}

// SECURITY: the client secret goes from its field into the call, and no variable, state or closure of ours keeps it.
export function changesWithSecret(inputs: Inputs, settings: SettingsView, removesSecret: boolean): Changes {
  const changed = changes(inputs, settings)
  if (isManaged(settings.clientSecret)) return changed
  if (isFilled(inputs, 'clientSecret')) return { ...changed, clientSecret: inputs.clientSecret.current?.value ?? '' }
  return removesSecret ? { ...changed, clientSecret: '' } : changed
}

/** SECURITY: asked by length; a regular expression would keep a secret as `RegExp.input`. */
export const isFilled = (inputs: Inputs, field: SettingField): boolean => (inputs[field].current?.value.length ?? 0) > 0
