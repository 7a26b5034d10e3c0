import { urlOf } from '../base/url.ts'
import { headerName, headerValues } from './head.ts'

/** Hop-by-hop headers (RFC 9110 section 7.6.1). They aren't passed on, because Node writes its own. */
const OF_CONNECTION = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings']

/** SECURITY: neither the gateway's password nor cookies, which other local programs may have set, are passed on. */
const NOT_SENT = new Set([
  ...OF_CONNECTION,
  ...['host', 'expect', 'authorization', 'cookie', 'cookie2', 'forwarded', 'via', 'x-real-ip'],
  // Some services take the path from these headers, so a tool could use them to leave the base path.
  ...['x-original-url', 'x-rewrite-url'],
])
const NOT_SENT_PREFIXES = ['proxy-', 'x-forwarded-']

/** SECURITY: the service's cookies, permissions, rules and password requests would apply to this computer. */
const NOT_RETURNED = new Set([
  ...OF_CONNECTION,
  ...['set-cookie', 'set-cookie2', 'www-authenticate', 'authentication-info', 'location', 'refresh'],
  // A service that echoes the request's headers would send the tool the token.
  'authorization',
  ...['strict-transport-security', 'public-key-pins', 'alt-svc', 'clear-site-data', 'nel', 'report-to'],
])
const NOT_RETURNED_PREFIXES = ['proxy-', 'access-control-']

/**
 * Also removes the headers that `Connection` names. SECURITY: `Content-Length` stays, and `Content_Length`, which some
 * services would read as another length, doesn't.
 */
function without(rawHeaders: readonly string[], names: ReadonlySet<string>, prefixes: readonly string[]): string[] {
  const named = new Set(
    headerValues(rawHeaders, 'connection').flatMap((value) => value.split(',').map((name) => headerName(name.trim()))),
  )
  return rawHeaders.filter((_, index) => {
    const written = rawHeaders[index - (index % 2)]
    const name = headerName(written)
    if (name === 'content-length') return !written?.includes('_')
    return !names.has(name) && !named.has(name) && !prefixes.some((prefix) => name.startsWith(prefix))
  })
}

interface Sent {
  readonly host: string
  readonly token: string
  /** The gateway's own host and port, as the tool addressed it. */
  readonly gateway: string
  readonly isChunked: boolean
}

export const headersToService = (rawHeaders: readonly string[], sent: Sent): string[] => [
  ...['Host', sent.host],
  ...without(rawHeaders, NOT_SENT, NOT_SENT_PREFIXES),
  ...['Authorization', `Bearer ${sent.token}`],
  ...['X-Forwarded-For', '127.0.0.1', 'X-Forwarded-Host', sent.gateway, 'X-Forwarded-Proto', 'http'],
  ...(sent.isChunked ? ['Transfer-Encoding', 'chunked'] : []),
]

export const headersToTool = (rawHeaders: readonly string[], location: string | undefined): string[] => [
  ...without(rawHeaders, NOT_RETURNED, NOT_RETURNED_PREFIXES),
  ...(location === undefined ? [] : ['Location', location]),
]

/**
 * SECURITY: a redirect to another server becomes `otherServer`, because the tool would send its request there, and
 * perhaps the gateway's password. `from` is the address that was requested from the service.
 */
export function locationFor(value: string, from: URL, gateway: string): string {
  const to = urlOf(value, from)
  if (to?.origin !== from.origin || to.username !== '' || to.password !== '') return 'otherServer'
  return `http://${gateway}${to.pathname}${to.search}${to.hash}`
}
