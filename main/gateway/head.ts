import type { GatewayMethods } from '../../contract/setting-rows.ts'
import { cleanPath } from '../base/clean-path.ts'
import type { Passwords } from './passwords.ts'
import type { Refusal } from './refusals.ts'

interface Head {
  readonly method: string
  readonly url: string
  /** Names and values alternate, as they arrived. */
  readonly rawHeaders: readonly string[]
}

export interface HeadRules {
  readonly port: number
  /** The path of the data address, such as `/v1`, or empty. Each request must stay below this path. */
  readonly basePath: string
  readonly methods: GatewayMethods
  readonly passwords: Pick<Passwords, 'check'>
}

type CheckedHead = { readonly target: string } | { readonly refusal: Refusal; readonly retryAfter?: number }

/** @param name in lower case */
export const headerValues = (rawHeaders: readonly string[], name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && headerName(rawHeaders[index - 1]) === name)

/** SECURITY: in lower case, with hyphens, because many services read `X_Forwarded_For` as `X-Forwarded-For`. */
export const headerName = (name = ''): string => name.toLowerCase().replaceAll('_', '-')

/** Node doesn't decode a body in another transfer coding, so the receiver would take the coded bytes for the body. */
export const hasOtherCoding = (rawHeaders: readonly string[]): boolean =>
  headerValues(rawHeaders, 'transfer-encoding').some((coding) => coding.trim().toLowerCase() !== 'chunked')

/** SECURITY: a service that knows one of these headers takes the method from it. */
const METHOD_HEADERS = ['x-http-method', 'x-http-method-override', 'x-method-override']

export function checkHead({ method, url, rawHeaders }: Head, rules: HeadRules): CheckedHead {
  const [host, ...otherHosts] = headerValues(rawHeaders, 'host')
  // SECURITY: a page that reaches this port through DNS rebinding sends its own host.
  if (
    otherHosts.length > 0 ||
    ![`127.0.0.1:${rules.port}`, `localhost:${rules.port}`].includes(host?.toLowerCase() ?? '')
  )
    return { refusal: 'wrongHost' }
  // SECURITY: no web page gets data. Browsers add one of these headers even for images, and no page can remove it.
  if (['origin', 'sec-fetch-site'].some((name) => headerValues(rawHeaders, name).length > 0))
    return { refusal: 'webPage' }
  const checked = rules.passwords.check(headerValues(rawHeaders, 'authorization'))
  if (checked.kind === 'wrong') return { refusal: 'wrongPassword' }
  if (checked.kind === 'tooMany') return { refusal: 'tooManyPasswords', retryAfter: checked.retryAfter }
  if (hasOtherCoding(rawHeaders)) return { refusal: 'transferCoding' }
  // SECURITY: a service answers TRACE with the request's headers, and so with the token (RFC 9110 section 9.3.8).
  if (method === 'TRACE') return { refusal: 'trace' }
  const namesMethod = METHOD_HEADERS.some((name) => headerValues(rawHeaders, name).length > 0)
  if (rules.methods === 'read' && (namesMethod || (method !== 'GET' && method !== 'HEAD')))
    return { refusal: 'readOnly' }
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  const cleaned = cleanPath(path)
  // This also refuses an absolute address, and the targets of CONNECT and `OPTIONS *` (RFC 9112 section 3.2).
  if (cleaned === undefined || !VISIBLE.test(url)) return { refusal: 'wrongPath' }
  const { basePath } = rules
  if (cleaned !== basePath && !cleaned.startsWith(`${basePath}/`)) return { refusal: 'outsideBasePath' }
  return { target: cleaned + (question === -1 ? '' : url.slice(question)) }
}

/** The visible ASCII characters except `#`, which a request's target can't contain. */
const VISIBLE = /^[!"$-~]+$/
