import * as v from 'valibot'
import { SETTING_FIELDS, type SettingField, type SettingProblem, type Source } from '../../contract/settings.ts'
import { Secret } from '../session/secret.ts'
import { type AddressProblem, normaliseBaseAddress } from './base-address.ts'
import type { Place } from './json-places.ts'

export type ClientSecret = Secret<'client secret'>
export const clientSecret = (value: string): ClientSecret => new Secret('client secret', value)

/** What one source says of the connection. Every value may be absent. */
export type Layer = { readonly [F in SettingField]?: F extends 'clientSecret' ? ClientSecret : string }

/** The administrator's: `null` keeps everybody from setting a value. */
export type ManagedLayer = { readonly [F in SettingField]?: Layer[F] | null }

/** A value that could not be used: said to the user, never silently dropped. */
export interface SettingsProblem {
  readonly source: Source
  /** The variable, key or file it is about. */
  readonly where: string
  /** In the administrator's file: the key, and where it stands; where the file stops being JSON. */
  readonly key?: string
  readonly at?: Place | undefined
  /** The file that is named there. */
  readonly file?: string
  readonly problem:
    | 'unusable'
    | 'unknown'
    | 'unreadable'
    | 'unsafe'
    | 'damaged'
    | 'taken'
    | 'managedSecret'
    | 'notAllowed'
}

const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2048))
const address = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const result = normaliseBaseAddress(dataset.value)
    if (result.ok) return result.value
    addIssue({ message: result.problem })
    return NEVER
  }),
)
const domain = v.pipe(text, v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/i))
const secret = v.pipe(v.string(), v.minLength(1), v.maxLength(2048), v.transform(clientSecret))

/** How each value is checked, wherever it comes from. */
const FIELDS = {
  baseAddress: address,
  authUrl: address,
  realm: text,
  providerDomain: domain,
  scope: text,
  audience: text,
  clientId: text,
  clientSecret: secret,
} as const satisfies { readonly [F in SettingField]: v.GenericSchema<unknown, NonNullable<Layer[F]>> }

export const isSetting = (key: string): key is SettingField => Object.hasOwn(FIELDS, key)

export type Checked<F extends SettingField> =
  | { readonly ok: true; readonly value: NonNullable<Layer[F]> }
  | { readonly ok: false; readonly problem: SettingProblem }

/** Checks one value; an address says what is wrong with it. */
export function checkValue<F extends SettingField>(field: F, value: unknown): Checked<F> {
  const parsed = v.safeParse(FIELDS[field] as unknown as v.GenericSchema<unknown, NonNullable<Layer[F]>>, value)
  if (parsed.success) return { ok: true, value: parsed.output }
  const [{ type, message }] = parsed.issues
  return { ok: false, problem: type === 'raw_transform' ? (message as AddressProblem) : 'unusable' }
}

/** Reads a layer value by value: what is wrong is named, what is right still counts. */
export function readLayer(
  source: Source,
  values: { readonly [F in SettingField]?: unknown },
  nameOf: (field: SettingField) => string = (field) => field,
): { readonly layer: Layer; readonly problems: readonly SettingsProblem[] } {
  const layer: Record<string, unknown> = {}
  const problems: SettingsProblem[] = []
  for (const field of SETTING_FIELDS) {
    if (values[field] === undefined) continue
    const checked = checkValue(field, values[field])
    if (checked.ok) layer[field] = checked.value
    else problems.push({ source, where: nameOf(field), problem: 'unusable' })
  }
  return { layer, problems }
}

/** Reads the administrator's layer. A secret can't be `null`: nobody could tell that from one that isn't shown. */
export function readManaged(
  values: { readonly [F in SettingField]?: unknown },
  nameOf?: (field: SettingField) => string,
): { readonly layer: ManagedLayer; readonly problems: readonly SettingsProblem[] } {
  const empty = SETTING_FIELDS.filter((field) => field !== 'clientSecret' && values[field] === null)
  const nothing = (value: unknown) => Object.fromEntries(empty.map((field) => [field, value]))
  const { layer, problems } = readLayer('policy', { ...values, ...nothing(undefined) }, nameOf)
  return { layer: { ...layer, ...nothing(null) }, problems }
}
