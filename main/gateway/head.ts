/** Decides whether the head of a request may pass. Pure functions. */
import type { GatewayMethods } from '../../contract/setting-rows.ts'
import type { Passwords } from './passwords.ts'
import type { Refusal } from './refusals.ts'

export interface Head {
  readonly method: string
  readonly url: string
  /** Alternating names and values, as they arrived. */
  readonly rawHeaders: readonly string[]
}

export interface HeadRules {
  readonly port: number
  /** The path of the data address: `/v1`, or empty. Requests keep their path, which must be below this one. */
  readonly basePath: string
  readonly methods: GatewayMethods
  readonly passwords: Pick<Passwords, 'check'>
}

/** The path and query to request, or why the request is refused. */
export type CheckedHead = { readonly target: string } | { readonly refusal: Refusal; readonly retryAfter?: number }

/** The values of a header, which may have arrived several times. @param name in lower case */
export const valuesOf = (rawHeaders: readonly string[], name: string): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)

export function checkHead({ method, url, rawHeaders }: Head, rules: HeadRules): CheckedHead {
  const [host, ...otherHosts] = valuesOf(rawHeaders, 'host')
  // SECURITY: a page that reaches this port through DNS rebinding sends its own host.
  if (
    otherHosts.length > 0 ||
    ![`127.0.0.1:${rules.port}`, `localhost:${rules.port}`].includes(host?.toLowerCase() ?? '')
  )
    return { refusal: 'wrongHost' }
  // SECURITY: no web page gets data. A browser adds one of these headers to every request of a page, also to those of
  // images, forms and WebSockets, and no page can remove them.
  if (['origin', 'sec-fetch-site'].some((name) => valuesOf(rawHeaders, name).length > 0)) return { refusal: 'webPage' }
  const checked = rules.passwords.check(valuesOf(rawHeaders, 'authorization'))
  if (checked.kind === 'wrong') return { refusal: 'wrongPassword' }
  if (checked.kind === 'tooMany') return { refusal: 'tooManyPasswords', retryAfter: checked.retryAfter }
  // SECURITY: Node only removes the coding `chunked`. The service would get the bytes of any other as the body.
  if (valuesOf(rawHeaders, 'transfer-encoding').some((coding) => coding.trim().toLowerCase() !== 'chunked'))
    return { refusal: 'transferCoding' }
  if (rules.methods === 'read' && method !== 'GET' && method !== 'HEAD') return { refusal: 'readOnly' }
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  const cleaned = cleanPath(path)
  // Also refuses the forms of CONNECT and `OPTIONS *`, and an absolute address (RFC 9112 section 3.2).
  if (cleaned === undefined || !VISIBLE.test(url)) return { refusal: 'wrongPath' }
  const { basePath } = rules
  if (cleaned !== basePath && !cleaned.startsWith(`${basePath}/`)) return { refusal: 'outside' }
  return { target: cleaned + (question === -1 ? '' : url.slice(question)) }
}

/** Without `#`, which no request contains. */
const VISIBLE = /^[!"$-~]+$/
const DEEPEST_ENCODING = 4

/**
 * The path with a single slash at its start; `undefined` if two servers might read it differently. SECURITY: such a path
 * could leave the base path, or name another server.
 */
export function cleanPath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined
  let decoded = path
  for (let depth = 0; decoded.includes('%'); depth++) {
    const before = decoded
    decoded = decoded.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    if (decoded === before) break
    if (depth === DEEPEST_ENCODING) return undefined
  }
  // Some servers ignore what follows a semicolon when they look for dots (`..;/`).
  const hasDots = decoded.split(/[/\\]/).some((segment) => /^\.\.?(?:;|$)/.test(segment))
  if (hasDots || /[\\\0\r\n]/.test(decoded)) return undefined
  return path.replace(/^\/+/, '/')
}
