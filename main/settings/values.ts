import * as v from 'valibot'
import { type Flow, type GatewayMethods, KINDS, type Limits, type ValueKind } from '../../contract/setting-rows.ts'
import { SETTINGS, type SettingProblem, type ValueName } from '../../contract/settings.ts'
import { cleanText } from '../base/display-text.ts'
import { type ClientSecret, clientSecret } from '../base/secret.ts'
import { urlOf } from '../base/url.ts'

interface Values {
  readonly address: string
  readonly domain: string
  readonly label: string
  readonly text: string
  readonly flow: Flow
  readonly methods: GatewayMethods
  readonly port: number
  readonly secret: ClientSecret
  readonly switch: boolean
}

export type Value<N extends ValueName> = Values[(typeof SETTINGS)[N]['kind']]

/** Limits a text in length and form. SECURITY: no pattern reads a secret, because `RegExp.input` would keep it. */
export const limited = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: Limits) =>
  v.pipe(
    v.string(),
    v.check(({ length }) => minLength <= length && length <= maxLength),
    v.check((value) => pattern === undefined || new RegExp(pattern).test(value)),
  )

const trimmed = v.pipe(v.string(), v.trim(), v.nonEmpty())
const text = v.pipe(trimmed, limited(KINDS.text))

const SCHEMAS: { readonly [K in ValueKind]: v.GenericSchema<unknown, Values[K]> } = {
  address: v.pipe(
    trimmed,
    limited(KINDS.address),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const result = normaliseBaseAddress(dataset.value)
      if (result.ok) return result.value
      addIssue({ message: result.problem })
      return NEVER
    }),
  ),
  domain: v.pipe(trimmed, limited(KINDS.domain), v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/i)),
  // SECURITY: the name comes before the host, which it must neither push out of sight nor reverse.
  label: v.pipe(
    text,
    v.transform((value) => value.replace(/\s+/g, ' ')),
    v.check((value) => [...value].length <= KINDS.label.maxLength && value === cleanText(value)),
  ),
  text,
  flow: v.pipe(trimmed, v.picklist(KINDS.flow.enum)),
  methods: v.pipe(trimmed, v.picklist(KINDS.methods.enum)),
  port: v.pipe(
    v.union([v.number(), v.pipe(trimmed, v.regex(/^\d{1,5}$/), v.transform(Number))]),
    v.integer(),
    v.minValue(KINDS.port.minimum),
    v.maxValue(KINDS.port.maximum),
  ),
  secret: v.pipe(limited(KINDS.secret), v.transform(clientSecret)),
  switch: v.boolean(),
}

type CheckedValue<N extends ValueName> =
  | { readonly ok: true; readonly value: Value<N> }
  | { readonly ok: false; readonly problem: SettingProblem }

/** For a switch, `true` or `false` becomes a boolean. Any other text stays as it is. */
export const valueOfText = (name: ValueName, text: string): unknown =>
  SETTINGS[name].kind === 'switch' && /^(true|false)$/.test(text) ? text === 'true' : text

export function checkValue<N extends ValueName>(name: N, value: unknown): CheckedValue<N> {
  const schema = SCHEMAS[SETTINGS[name].kind] as unknown as v.GenericSchema<unknown, Value<N>>
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return { ok: true, value: parsed.output }
  const [{ type, message }] = parsed.issues
  return { ok: false, problem: type === 'raw_transform' ? (message as AddressProblem) : 'unusable' }
}

type AddressProblem = 'notAnAddress' | 'notHttps' | 'hasCredentials' | 'hasQuery'

type AddressResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: AddressProblem }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Without a scheme, https; http only for loopback addresses. Refuses credentials, a query and a fragment. All spellings
 * of an address become one text, which is in the name of the keychain entry.
 */
export function normaliseBaseAddress(text: string): AddressResult {
  const trimmed = text.trim()
  const address = trimmed.includes('://') ? trimmed : `https://${trimmed}`
  const url = urlOf(address)
  if (url === undefined || url.hostname === '' || /\s|^\\/.test(trimmed)) return { ok: false, problem: 'notAnAddress' }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
    return { ok: false, problem: url.protocol === 'http:' ? 'notHttps' : 'notAnAddress' }
  }
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'hasCredentials' }
  if (/[?#]/.test(trimmed)) return { ok: false, problem: 'hasQuery' }
  return { ok: true, value: `${url.protocol}//${url.host}${withoutEndSlashes(url.pathname)}` }
}

// SECURITY: this is a loop, because a regular expression would take quadratic time if the path contains many slashes.
function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** The address for display: the host, the port unless it is the default one, and the path. */
export function hostAndPathOf(baseAddress: string): string {
  const url = new URL(baseAddress)
  return `${url.host}${url.pathname === '/' ? '' : url.pathname}`
}
