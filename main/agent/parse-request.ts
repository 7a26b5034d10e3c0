import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { Limits } from './limits.ts'
import { type ErrorCode, isTokenFormat, type ReplyForm, TOKEN_FORMATS, type TokenFormat } from './replies.ts'
import { readUntil, type Until } from './status.ts'

export const ENDPOINTS = {
  '/v1/token': 'GET',
  '/v1/token/rejected': 'POST',
  '/v1/status': 'GET',
  '/v1/sign-out': 'POST',
  '/v1/events': 'GET',
  '/v1/remote': 'POST',
  '/v1/gateway': 'GET',
  '/v1/gateway/password': 'POST',
} as const
/** The paths that only `latchkey mcp` uses. They aren't documented, because that command ships with the app. */
const UNDOCUMENTED_ENDPOINTS = { '/v1/mcp': 'POST', '/v1/mcp/receive': 'GET', '/v1/mcp/send': 'POST' } as const
const ALL_ENDPOINTS = { ...ENDPOINTS, ...UNDOCUMENTED_ENDPOINTS }
type Path = keyof typeof ALL_ENDPOINTS

/** A remote machine and the connections that it may ask about, its default one first. */
export interface Remote {
  readonly host: string
  readonly connections: readonly string[]
}

/** The longest host name, in characters. DNS allows 253. */
const LONGEST_HOST = 255

const UNKNOWN_PATH = `There is nothing at this path. The paths are: ${Object.keys(ENDPOINTS).join(', ')}.`

const DEFAULT_MIN_VALIDITY = 60
const LONGEST_MIN_VALIDITY = 86_400
/** The longest wait: a week, in seconds. */
const LONGEST_WAIT = 604_800

interface Head {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

type ParsedRequest =
  /** `minValidity` and `wait` are in seconds. By default, the `Accept` header determines `format`. */
  | {
      readonly path: '/v1/token'
      readonly minValidity: number
      readonly isStrict: boolean
      readonly wait: number
      readonly connection: string
      readonly format?: TokenFormat
    }
  | {
      readonly path: Exclude<keyof typeof ENDPOINTS, '/v1/token' | '/v1/status' | '/v1/sign-out' | '/v1/remote'>
      readonly connection: string
    }
  /** With `until`, the reply also says whether the session is expected to last until then. */
  | { readonly path: '/v1/status'; readonly connection: string; readonly until?: Until }
  | { readonly path: '/v1/sign-out'; readonly connection: string; readonly isAll: boolean }
  | ({ readonly path: '/v1/remote' } & Remote)
  /** The default `url` is that of the connection's own MCP server. */
  | { readonly path: '/v1/mcp'; readonly connection: string; readonly url?: string }
  | { readonly path: '/v1/mcp/receive' | '/v1/mcp/send'; readonly bridge: string }
  | InvalidRequest

export type McpRequest = Extract<ParsedRequest, { readonly path: keyof typeof UNDOCUMENTED_ENDPOINTS }>

export const isForMcp = (asked: Exclude<ParsedRequest, InvalidRequest>): asked is McpRequest =>
  Object.hasOwn(UNDOCUMENTED_ENDPOINTS, asked.path)

interface InvalidRequest {
  readonly error: ErrorCode
  readonly message?: string
  readonly allow?: string
}

/** The agent's names in the Host header. HTTP requires that header, although a socket has no host. */
const HOSTS: readonly (string | undefined)[] = ['localhost', 'latchkey']

interface HeadRules {
  /** The secret, which tools must send as `Authorization: Bearer SECRET`. */
  readonly secret?: string | undefined
  /** The connection of a request that names none. */
  readonly fallback?: string | undefined
}

export function readHead(head: Head, { secret, fallback = DEFAULT_CONNECTION }: HeadRules = {}): ParsedRequest {
  const { headers, method } = head
  if (headers.host?.includes(','))
    return { error: 'malformed_request', message: 'A request must have exactly one Host header.' }
  const { host, url } = targetOf(head)
  // SECURITY: keeps out web pages, which may reach the socket through a proxy. For an image, they send no Origin.
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return { error: 'forbidden', message: 'Web pages cannot use the agent.' }
  if (!HOSTS.includes(host?.toLowerCase())) {
    return { error: 'forbidden', message: 'Send requests to http://localhost/ or http://latchkey/ over the socket.' }
  }
  // SECURITY: other users may be able to open the pipe, but they don't know the secret.
  if (secret !== undefined && !isSame(headers.authorization ?? '', `Bearer ${secret}`)) {
    return {
      error: 'forbidden',
      message: "Send the secret from the agent's file as 'Authorization: Bearer SECRET'.",
    }
  }
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  if (!isPath(path)) return { error: 'not_found', message: UNKNOWN_PATH }
  const allow = ALL_ENDPOINTS[path]
  if (method !== allow) return { error: 'method_not_allowed', message: `${path} only accepts ${allow}.`, allow }
  if (path !== '/v1/token/rejected' && path !== '/v1/mcp/send' && hasBody(headers))
    return { error: 'invalid_body', message: `A request for ${path} must not have a body.` }
  return readQuery(path, question === -1 ? '' : url.slice(question + 1), fallback)
}

/** If the target names a host, the Host header is ignored (RFC 9112 section 3.2.2). */
function targetOf({ headers: { host }, url = '' }: Head): { readonly host?: string | undefined; readonly url: string } {
  if (!/^http:\/\//i.test(url)) return { host, url }
  const [named = ''] = /^[^/?#]*/.exec(url.slice(7)) ?? []
  return { host: named, url: url.slice(7 + named.length) }
}

/** Only `connection` of `/v1/remote` may be repeated. */
const PARAMETERS: { readonly [P in Path]: readonly string[] } = {
  '/v1/token': ['min_validity', 'strict', 'wait', 'connection', 'format'],
  '/v1/token/rejected': ['connection'],
  '/v1/status': ['connection', 'until'],
  '/v1/sign-out': ['connection', 'all'],
  '/v1/events': ['connection'],
  '/v1/remote': ['host', 'connection'],
  '/v1/gateway': ['connection'],
  '/v1/gateway/password': ['connection'],
  '/v1/mcp': ['connection', 'url'],
  '/v1/mcp/receive': ['bridge'],
  '/v1/mcp/send': ['bridge'],
}

function readQuery(path: Path, query: string, fallback: string): ParsedRequest {
  const parameters = new URLSearchParams(query)
  const taken = PARAMETERS[path]
  if (path === '/v1/remote') return readRemote(parameters, fallback)
  const names = [...parameters.keys()]
  if (names.some((name) => !taken.includes(name)) || new Set(names).size < names.length) {
    return {
      error: 'invalid_parameter',
      message: `${path} only accepts these parameters, each once: ${taken.join(', ')}.`,
    }
  }
  if (path === '/v1/mcp/receive' || path === '/v1/mcp/send') return { path, bridge: parameters.get('bridge') ?? '' }
  const connection = parameters.get('connection') ?? fallback
  switch (path) {
    case '/v1/token':
      return readToken(parameters, connection)
    case '/v1/status': {
      const text = parameters.get('until')
      if (text === null) return { path, connection }
      const until = readUntil(text)
      return until === undefined ? { error: 'invalid_parameter', message: UNTIL } : { path, connection, until }
    }
    case '/v1/sign-out': {
      const all = parameters.get('all') ?? 'false'
      const isAll = all === 'true'
      if ((!isAll && all !== 'false') || (isAll && parameters.has('connection'))) {
        return { error: 'invalid_parameter', message: 'all must be true or false, and true excludes connection.' }
      }
      return { path, connection, isAll }
    }
    case '/v1/mcp': {
      const url = parameters.get('url')
      return { path, connection, ...(url === null ? {} : { url }) }
    }
    default:
      return { path, connection }
  }
}

const UNTIL = 'until must be a time such as 07:00, or a duration such as 8h, 30m or 3600 (seconds).'

function readToken(parameters: URLSearchParams, connection: string): ParsedRequest {
  const path = '/v1/token' as const
  const minValidity = readSeconds(parameters.get('min_validity') ?? `${DEFAULT_MIN_VALIDITY}`, LONGEST_MIN_VALIDITY)
  if (minValidity === undefined) return notSeconds('min_validity', LONGEST_MIN_VALIDITY)
  const wait = readSeconds(parameters.get('wait') ?? '0', LONGEST_WAIT)
  if (wait === undefined) return notSeconds('wait', LONGEST_WAIT)
  const strict = parameters.get('strict') ?? 'false'
  if (strict !== 'true' && strict !== 'false') {
    return { error: 'invalid_parameter', message: 'strict must be true or false.' }
  }
  const asked = { path, minValidity, isStrict: strict === 'true', wait, connection }
  const format = parameters.get('format')
  if (format === null) return asked
  if (isTokenFormat(format)) return { ...asked, format }
  return { error: 'invalid_parameter', message: `format must be one of: ${TOKEN_FORMATS.join(', ')}.` }
}

function readRemote(parameters: URLSearchParams, fallback: string): ParsedRequest {
  const [host = '', ...otherHosts] = parameters.getAll('host')
  const isKnown = [...parameters.keys()].every((name) => PARAMETERS['/v1/remote'].includes(name))
  if (!isKnown || otherHosts.length > 0 || host === '' || host.length > LONGEST_HOST) {
    return {
      error: 'invalid_parameter',
      message:
        '/v1/remote needs host, the name of the remote machine, once, and accepts connection, any number of times.',
    }
  }
  const named = parameters.getAll('connection')
  return { path: '/v1/remote', host, connections: named.length === 0 ? [fallback] : named }
}

function readSeconds(value: string, most: number): number | undefined {
  const isShort = value.length <= String(most).length
  const seconds = isShort && /^\d+$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY
  return seconds <= most ? seconds : undefined
}

const notSeconds = (name: string, most: number): InvalidRequest => ({
  error: 'invalid_parameter',
  message: `${name} must be a whole number of seconds from 0 to ${most}.`,
})

/** The form of the reply: text if the tool prefers it to JSON (RFC 9110 section 12.5.1). */
export function formOf(accept: string | undefined): ReplyForm {
  if (accept === undefined || !accept.includes('text/plain')) return 'json'
  if (accept === 'text/plain') return 'text'
  return weightOf(accept, 'text/plain') > weightOf(accept, 'application/json') ? 'text' : 'json'
}

function weightOf(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}

const isPath = (path: string): path is Path => Object.hasOwn(ALL_ENDPOINTS, path)

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** SECURITY: compares in constant time, so that the time says nothing about the secret. */
function isSame(presented: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(presented), digest(expected))
}

export const announcedSize = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY

/** Calls `then` with the body or the error, unless the tool hangs up first. */
export function readBody(
  request: IncomingMessage,
  limits: Pick<Limits, 'body' | 'arrival'>,
  then: (body: Buffer | 'request_too_large' | 'request_timeout') => void,
): void {
  let left = limits.body
  if (Number(request.headers['content-length'] ?? 0) > left) {
    then('request_too_large')
    return
  }
  const chunks: Buffer[] = []
  const stop = () => {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', stop).pause()
  }
  const onData = (chunk: Buffer) => {
    left -= chunk.length
    if (left >= 0) {
      chunks.push(chunk)
      return
    }
    stop()
    then('request_too_large')
  }
  const onEnd = () => {
    stop()
    then(Buffer.concat(chunks))
  }
  const timer = setTimeout(() => {
    stop()
    then('request_timeout')
  }, limits.arrival)
  request.on('data', onData).on('end', onEnd).on('close', stop)
}
