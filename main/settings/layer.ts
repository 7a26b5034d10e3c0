import * as v from 'valibot'
import { Secret } from '../session/secret.ts'
import { normaliseBaseAddress } from './base-address.ts'

export type ClientSecret = Secret<'client secret'>
export const clientSecret = (value: string): ClientSecret => new Secret('client secret', value)

/** Where a value comes from; the first that has it wins. */
export const SOURCES = ['policy', 'environment', 'user'] as const
export type Source = (typeof SOURCES)[number]

/** What one source says of the connection. Every value may be absent. */
export interface Layer {
  readonly baseAddress?: string
  readonly authUrl?: string
  readonly realm?: string
  readonly providerDomain?: string
  readonly scope?: string
  readonly audience?: string
  readonly clientId?: string
  readonly clientSecret?: ClientSecret
}

/** A value that could not be used: said to the user, never silently dropped. */
export interface SettingsProblem {
  readonly source: Source
  /** The variable, key or file it is about. */
  readonly where: string
  readonly problem: 'unusable' | 'unreadable' | 'unsafe' | 'damaged'
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
export const FIELDS = {
  baseAddress: address,
  authUrl: address,
  realm: text,
  providerDomain: domain,
  scope: text,
  audience: text,
  clientId: text,
  clientSecret: secret,
} as const satisfies { readonly [K in keyof Required<Layer>]: v.GenericSchema<unknown, Layer[K]> }

export type Field = keyof typeof FIELDS

/** Reads a layer value by value: what is wrong is named, what is right still counts. */
export function readLayer(
  source: Source,
  values: { readonly [K in Field]?: unknown },
  nameOf: (field: Field) => string = (field) => field,
): { readonly layer: Layer; readonly problems: readonly SettingsProblem[] } {
  const layer: Record<string, unknown> = {}
  const problems: SettingsProblem[] = []
  for (const field of Object.keys(FIELDS) as Field[]) {
    if (values[field] === undefined) continue
    const parsed = v.safeParse(FIELDS[field], values[field])
    if (parsed.success) layer[field] = parsed.output
    else problems.push({ source, where: nameOf(field), problem: 'unusable' })
  }
  return { layer, problems }
}
