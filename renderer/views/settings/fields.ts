import type { RefObject } from 'preact'
import type { CallInput } from '../../../contract/calls.ts'
import type { ValueKind } from '../../../contract/setting-rows.ts'
import {
  isLocked,
  SETTING_FIELDS,
  SETTINGS,
  type SettingField,
  type SettingName,
  type SettingsView,
  type SettingView,
} from '../../../contract/settings.ts'
import type { Texts } from '../../../text/index.ts'

export const INPUTS = {
  address: { type: 'text', autocomplete: 'url' },
  domain: { type: 'text', autocomplete: 'off' },
  label: { type: 'text', autocomplete: 'off' },
  text: { type: 'text', autocomplete: 'off' },
  port: { type: 'text', autocomplete: 'off' },
  secret: { type: 'password', autocomplete: 'off' },
} as const satisfies Record<Exclude<ValueKind, 'switch' | 'flow' | 'methods'>, object>

export const DATA_FIELDS = ['dataAddress', 'gatewayPort', 'gatewayMethods'] as const

export type Inputs = { readonly [F in SettingField]: RefObject<HTMLInputElement> }
export type Changes = CallInput<'checkSettings'>

/** A sentence that says who manages a setting; `undefined` if the user does. */
export const managedBy = (
  name: SettingName,
  { source, place }: Pick<SettingView, 'source' | 'place'>,
  texts: Texts,
): string | undefined => source && texts.settings.managed(source, SETTINGS[name].variable ?? '', place)

/** The values that the user has changed. Only `changesWithSecret` includes the client secret. */
export function changes(inputs: Inputs, settings: SettingsView): Changes {
  const changed: { -readonly [F in SettingField]?: string } = {}
  for (const field of SETTING_FIELDS) {
    const typed = inputs[field].current?.value.trim()
    if (field === 'clientSecret' || typed === undefined || isLocked(field, settings[field].source)) continue
    if (typed !== (settings[field].value ?? '')) changed[field] = typed
  }
  return changed
}

// SECURITY: no variable, state or closure of ours keeps the client secret.
export function changesWithSecret(inputs: Inputs, settings: SettingsView, removesSecret: boolean): Changes {
  const changed = changes(inputs, settings)
  if (isLocked('clientSecret', settings.clientSecret.source)) return changed
  if (isFilled(inputs, 'clientSecret')) return { ...changed, clientSecret: inputs.clientSecret.current?.value ?? '' }
  return removesSecret ? { ...changed, clientSecret: '' } : changed
}

/** SECURITY: no regular expression reads a secret, because `RegExp.input` would keep it. */
export const isFilled = (inputs: Inputs, field: SettingField): boolean => (inputs[field].current?.value.length ?? 0) > 0
