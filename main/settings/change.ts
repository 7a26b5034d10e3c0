import type { CallInput } from '../../contract/calls.ts'
import {
  NEEDED,
  SETTING_FIELDS,
  SETTINGS,
  type SettingField,
  type SettingProblem,
  type SettingProblems,
} from '../../contract/settings.ts'
import { isSecretWithheld } from './connection.ts'
import { effective, type Layer, type Layers, mayUserSet, sourceOf } from './layers.ts'
import { checkValue, valueOfText } from './values.ts'

export type SettingsInput = CallInput<'checkSettings'>

/** The user's values after a change, including the client secret. If some values are wrong, what is wrong with each. */
export type Change =
  | { readonly ok: true; readonly own: Layer }
  | { readonly ok: false; readonly problems: SettingProblems }

/**
 * Works out a change. The user's values that `input` doesn't name stay, and those that it names as empty are removed.
 */
export function planChange(layers: Layers, input: SettingsInput): Change {
  const own: { [F in SettingField]?: Layer[F] } = { ...layers.user }
  const problems: { [F in SettingField]?: SettingProblem } = {}
  for (const field of SETTING_FIELDS) {
    const value = input[field]
    if (value === undefined) continue
    const checked = checkValue(field, valueOfText(field, value))
    if (!mayUserSet(layers, field)) problems[field] = 'managed'
    else if (value.trim() === '') delete own[field]
    else if (checked.ok) Object.assign(own, { [field]: checked.value })
    else problems[field] = checked.problem
  }
  const after: Layers = { ...layers, user: own as Layer }
  const isSet = (field: SettingField) => problems[field] !== undefined || sourceOf(after, field) !== undefined
  const isMissing = (field: SettingField) => !isSet(field) && SETTINGS[field].default === undefined
  const isOwn = (field: SettingField) => isSet(field) && mayUserSet(layers, field)
  if (!isSet('baseAddress')) problems.baseAddress = 'missing'
  const needed = NEEDED[effective(after, 'flow')]
  if (needed.some(isOwn)) {
    for (const field of needed) if (isMissing(field)) problems[field] = 'missing'
  }
  if (isSecretWithheld(layers) && (problems.authUrl === 'missing' || (input.authUrl && !problems.authUrl))) {
    problems.authUrl = 'managedSecret'
  }
  // SECURITY: a secret is only sent to the address for which it was entered, because a malicious page could have
  // changed the address.
  const authUrl = effective(after, 'authUrl')
  const isElsewhere = authUrl !== undefined && authUrl !== effective(layers, 'authUrl')
  if (isElsewhere && own.clientSecret !== undefined && input.clientSecret === undefined)
    problems.clientSecret = 'enterAgain'
  // If the policy forbids providers, no client secret is stored, because it could be sent to a provider that is set
  // later.
  if (authUrl === undefined && own.clientSecret !== undefined) problems.authUrl ??= 'managed'
  return Object.keys(problems).length === 0 ? { ok: true, own: after.user } : { ok: false, problems }
}
