import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { type Failure, type FailureCode, type FailureDetails, fail, type Outcome } from '../../contract/failures.ts'
import { LONGEST_READ } from '../base/display-text.ts'
import type { Secret } from '../base/secret.ts'
import { urlOf } from '../base/url.ts'
import { offersBasic } from './challenges.ts'
import { plainText } from './plain-text.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, or only its beginning if `defect` is set. */
  readonly body: Uint8Array
  readonly defect?: string | undefined
  /** The operation, host, proxy and time of the request. */
  readonly details: FailureDetails
  /** The time at which the request was sent, by this desktop's clock, in milliseconds since the epoch. */
  readonly askedAt: number
  readonly secrets: () => readonly Secret[]
}

export const hostOf = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300

/** The time by the server's clock, in milliseconds since the epoch. */
export const serverTimeOf = (response: HttpResponse): number | undefined => parseHttpDate(response.headers.date)

const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
/** The beginning of a page. JSON never begins with a tag. */
const HTML_START = /^<[a-z!]/i
const SNIFFED_BYTES = 2048

/** Decodes UTF-8 and leaves out a byte order mark, which parsers may ignore (RFC 8259 section 8.1). */
const utf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '')

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i

/**
 * The body's text; `undefined` for a success in an unknown charset, because its tokens could be misread. JSON is UTF-8
 * (RFC 8259 section 8.1), but some servers really use the charset that they name.
 */
function decoded(response: HttpResponse): string | undefined {
  const { body, headers } = response
  const mark = body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : body[0] === 0xfe && body[1] === 0xff && 'utf-16be'
  const charset = mark || (CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? '')
  if (isUtf8(body) && !/^utf-?16/i.test(charset)) return utf8(body)
  if (charset === '' && isSuccess(response)) return undefined
  try {
    // A refusal is recognised even if its text isn't valid UTF-8.
    return new TextDecoder(charset === '' ? 'windows-1252' : charset).decode(body)
  } catch {
    return undefined
  }
}

function startsLikeHtml(body: Uint8Array): boolean {
  // In UTF-16, each letter has a zero byte beside it, and the text begins with a mark that isn't UTF-8.
  let head = utf8(body.subarray(0, SNIFFED_BYTES))
    .replace(/[\0\ufffd]/g, '')
    .trimStart()
  for (;;) {
    const end = head.startsWith('<!--') ? '-->' : head.startsWith('<?') ? '?>' : undefined
    if (end === undefined) return HTML_START.test(head)
    const at = head.indexOf(end)
    // SECURITY: only the beginning is searched. If a comment doesn't end there, the response is treated as a page.
    if (at < 0) return true
    head = head.slice(at + end.length).trimStart()
  }
}

/** True if this is a page of a portal, proxy or gateway. Some services send their JSON as `text/html`, too. */
export function isHtml(response: HttpResponse): boolean {
  if (startsLikeHtml(response.body)) return response.status !== 204
  if (!HTML_TYPE.test(response.headers['content-type'] ?? '')) return false
  // A success may be empty (RFC 7009 section 2.2).
  if (response.body.length === 0) return !isSuccess(response)
  const value = parsedJson(response)
  return typeof value !== 'object' || value === null
}

function parsedJson(response: HttpResponse): unknown {
  if (response.defect !== undefined) return undefined
  try {
    return JSON.parse(decoded(response) ?? '')
  } catch {
    return undefined
  }
}

/** The body's text; `undefined` if the content is incomplete or a page. */
const textOf = (response: HttpResponse): string | undefined =>
  response.defect !== undefined || isHtml(response) ? undefined : decoded(response)

export const jsonOf = (response: HttpResponse): unknown => (isHtml(response) ? undefined : parsedJson(response))

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Some endpoints send a form, which becomes JSON, unless a field occurs twice: either value could be meant. */
export function withoutForm(response: HttpResponse): HttpResponse {
  const text = FORM_TYPE.test(response.headers['content-type'] ?? '') ? textOf(response) : undefined
  if (text === undefined || parsedJson(response) !== undefined) return response
  const fields = [...new URLSearchParams(text)]
  if (new Set(fields.map(([name]) => name)).size < fields.length) return response
  const headers = { ...response.headers, 'content-type': 'application/json' }
  return { ...response, headers, body: Buffer.from(JSON.stringify(Object.fromEntries(fields))) }
}

export function jsonObjectOf(response: HttpResponse): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(response)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** Whether the content reports an error, even with a success status. A response with tokens reports none. */
export function reportsError(response: HttpResponse): boolean {
  const { error, errorCode, ErrorCode, errors, success, token, access_token } = jsonObjectOf(response) ?? {}
  const isError =
    Boolean(error || errorCode || ErrorCode) || (Array.isArray(errors) && errors.length > 0) || success === false
  return isError && !token && !access_token
}

/** Fields with an error's name or status, as in Google's `{"error": {"code": 503, "status": "UNAVAILABLE"}}`. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'errorCode', 'ErrorCode', 'code', 'status', 'statusCode', 'type', 'extensions'],
])

function namesIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return []
  const entries = Object.entries(value).filter(([key]) => Array.isArray(value) || NAME_FIELDS.has(key))
  return entries.flatMap(([, each]) => namesIn(each, depth + 1))
}

const SAYS_REFUSED = /invalid|expired|revoked/
const SAYS_WAIT = /^429$|rate_?limit|too_many_(?:requests|attempts)|slow_down|throttl|quota|resource_exhausted/
const SAYS_UNAVAILABLE =
  /^5\d\d$|unavailable|overload|maintenance|temporar|try_again_later|server_?error|internal_?(?:error|failure)|^internal$|gateway_timeout/

/**
 * Returns a code if the error in the content is temporary. Such an error is no refusal, whatever the HTTP status. It is
 * recognised by its name. With a 2xx status, it is also recognised by a status number in the content and, if it has no
 * name, by its text.
 */
export function temporaryCode(response: HttpResponse): 'rateLimited' | 'unreachable' | undefined {
  const object = jsonObjectOf(response)
  const isNumber = (name: string) => /^\d+$/.test(name)
  const named = namesIn(object).filter((name) => isSuccess(response) || !isNumber(name))
  const names = isSuccess(response) && named.every(isNumber) ? [...named, wordsIn(object)] : named
  const spelled = names.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s.-]+/g, '_'),
  )
  if (spelled.some((name) => SAYS_REFUSED.test(name))) return undefined
  if (spelled.some((name) => SAYS_WAIT.test(name))) return 'rateLimited'
  return spelled.some((name) => SAYS_UNAVAILABLE.test(name)) ? 'unreachable' : undefined
}

/** Whether this is a refusal by a gateway or firewall that names itself: AWS API Gateway, AWS WAF, Cloudflare. */
function isOfGateway(response: HttpResponse): boolean {
  if (response.status !== 403) return false
  const { cloudflare_error, __type } = jsonObjectOf(response) ?? {}
  const isAws = response.headers['x-amzn-errortype'] !== undefined || __type === 'ForbiddenException'
  return isAws || cloudflare_error === true
}

const PLAIN_TYPE = /^\s*text\/plain\s*(?:;|$)/i

export function plainTextWordsOf(response: HttpResponse): string {
  const value = jsonOf(response)
  if (typeof value === 'string') return value.trim()
  const isPlain = value === undefined && PLAIN_TYPE.test(response.headers['content-type'] ?? '')
  return isPlain ? (textOf(response) ?? '').trim() : ''
}

/** Fields with texts, the most specific first. */
const TEXT_FIELDS = [
  ...['message', 'error_description', 'errorSummary', 'faultstring', 'detail', 'reason', 'msg', 'errors', 'Error'],
  ...['error', 'fault', 'title'],
]
/** How deep to look for words: deep enough for `{"errors": {"password": [{"message": "…"}]}}`. */
const DEEPEST = 5

function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return ''
  const within = (each: unknown) => wordsIn(each, depth + 1)
  if (Array.isArray(value)) return value.map(within).filter(Boolean).join(' ')
  const object = new Map(Object.entries(value))
  for (const key of TEXT_FIELDS) {
    const found = object.get(key)
    // In an `errors` object, the keys are the names of input fields.
    const isByField = key === 'errors' && typeof found === 'object' && found !== null
    const words = within(isByField ? Object.values(found) : found)
    if (words !== '') return words
  }
  return ''
}

const PERSONAL = ['rejected', 'interactionRequired', 'rateLimited', 'sessionEnded'] as const

/** The errors with which Auth0, Okta, Salesforce and Airlock name a blocked account. */
const BLOCKED: ReadonlySet<unknown> = new Set([
  ...['blocked_user', 'user_blocked', 'account_blocked', 'account_locked', 'user_locked', 'account_disabled'],
  ...['user_disabled', 'inactive_user', 'locked_out', 'e0000069'],
])

/** How providers describe a blocked account. The numbers are Entra ID's, and the last words are Cognito's. */
const SAYS_BLOCKED =
  /\b(?:user|account)\s(?:\S{1,60}\s)?(?:(?:is|was|has been)\s)?(?:(?:currently|temporarily|permanently)\s)?(?:b?locked|disabled|suspended|deactivated)\b|AADSTS500(?:53|57)\b|password attempts exceeded/i

export const isAccountBlocked = (json: Record<string, unknown> = {}, words: string): boolean =>
  ['error', 'errorCode', 'code', 'status'].some((key) => BLOCKED.has(`${json[key]}`.toLowerCase())) ||
  SAYS_BLOCKED.test(words.slice(0, LONGEST_READ))

export function failureOf(response: HttpResponse, code: FailureCode, cause?: string): Failure {
  const isService = !isRedirect(response) && !isHtml(response)
  const words = wordsIn(jsonObjectOf(response)) || (code === 'passwordRefused' ? plainTextWordsOf(response) : '')
  const serverText = plainText(words, response.secrets())
  // A portal's or proxy's `Retry-After` says nothing about the service.
  const mayRetry = isService && (code === 'rateLimited' || code === 'unreachable')
  const now = serverTimeOf(response) ?? response.askedAt
  const isBlocked =
    (PERSONAL as readonly FailureCode[]).includes(code) && isAccountBlocked(jsonObjectOf(response), words)
  const retryAfter = mayRetry ? parseRetryAfter(response.headers['retry-after'], now) : undefined
  return {
    code,
    ...(isBlocked && { problem: 'accountBlocked' }),
    ...(serverText !== '' && { serverText }),
    ...(retryAfter !== undefined && { retryAfter }),
    details: { ...response.details, status: response.status, ...(cause && { cause }) },
  }
}

const isRedirect = ({ status }: HttpResponse): boolean => status >= 300 && status < 400

const redirectOf = ({ headers: { location = '' } }: HttpResponse): URL | undefined => urlOf(location)

export function redirectsWithin(response: HttpResponse): boolean {
  const to = redirectOf(response)
  return isRedirect(response) && (to === undefined || hostOf(to) === response.details.host)
}

function redirectCause(response: HttpResponse): string {
  const to = redirectOf(response)
  // Only the origin is shown, because the rest may contain secrets.
  return to ? plainText(`redirect to ${to.origin}`, response.secrets()) : 'redirect'
}

/** `undefined` for 2xx and most of 4xx, whose meaning depends on the operation. */
export function commonFailure(response: HttpResponse): Failure | undefined {
  const { status } = response
  if (status === 407) return failureOf(response, 'proxyAuthenticationRequired')
  if (isRedirect(response)) return failureOf(response, 'unreachable', redirectCause(response))
  // SECURITY: a page never refuses a token or a password, whatever its status.
  if (isHtml(response)) return failureOf(response, 'unreachable', 'HTML answer')
  // SECURITY: a gateway never refuses a token or a password either.
  if (isOfGateway(response)) return failureOf(response, 'unreachable', 'refused by a gateway')
  if (status === 429) return failureOf(response, 'rateLimited')
  if (status === 408 || status >= 500) return failureOf(response, 'unreachable', `HTTP ${status}`)
  return undefined
}

export const challengesBasic = ({ headers }: HttpResponse): boolean => offersBasic(headers['www-authenticate'])

/** The failure names the field that doesn't fit, never its value. */
export function parseResponse<T>(response: HttpResponse, schema: v.GenericSchema<unknown, T>): Outcome<T> {
  const object = jsonObjectOf(response)
  if (object === undefined) {
    return fail(failureOf(response, 'malformedResponse', response.defect ?? 'not a JSON object'))
  }
  const parsed = v.safeParse(schema, object)
  if (parsed.success) return { ok: true, value: parsed.output }
  const field = v.getDotPath(parsed.issues[0]) ?? 'answer'
  return fail(failureOf(response, 'malformedResponse', `field ${field}`))
}

const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** Some servers send a fraction, such as `30.5`. */
const SECONDS = /^\s*\d+(?:\.\d+)?\s*$/
const LONGEST_WAIT_S = 3600

/** The date in milliseconds since the epoch (RFC 9110 section 5.6.7). */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // An asctime date has no time zone and means UTC.
  const told = ASCTIME.test(text) ? `${text} GMT` : IMF_FIXDATE.test(text) || RFC_850.test(text) ? text : ''
  const time = Date.parse(told)
  return Number.isNaN(time) ? undefined : time
}

/**
 * The seconds to wait, from 0 to 3600 (RFC 9110 section 10.2.3).
 * @param now the time in milliseconds since the epoch by the server's clock, because the desktop's may be wrong
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = SECONDS.test(text) ? Number(text) : ((parseHttpDate(text) ?? Number.NaN) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_S)
}
