/** What a request asks for, as far as that can be read from its head. Pure. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode, Form } from './reply.ts'

/** Every path, and the one method that it takes. */
export const ROUTES = {
  '/v1/token': 'GET',
  '/v1/token/rejected': 'POST',
  '/v1/status': 'GET',
  '/v1/events': 'GET',
} as const
type Path = keyof typeof ROUTES

export const DEFAULT_MIN_VALIDITY = 60
export const LONGEST_MIN_VALIDITY = 86_400

export interface Head {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

export type Asked =
  /** Seconds. */
  | { readonly path: '/v1/token'; readonly minValidity: number }
  | { readonly path: Exclude<Path, '/v1/token'> }
  | { readonly error: ErrorCode; readonly message?: string; readonly allow?: string }

/** The names by which tools call the agent: there is no host, but HTTP wants one. */
const HOSTS: readonly (string | undefined)[] = ['localhost', 'latchkey']

/** `secret`: what has to be presented as `Authorization: Bearer SECRET`, where anything has to. */
export function readHead(head: Head, secret?: string): Asked {
  const { headers, method, url = '' } = head
  // SECURITY: no web page has any business here. A browser can't open a socket, but a proxy of it might.
  if (headers.origin !== undefined) return { error: 'forbidden', message: 'Web pages are not served.' }
  if (!HOSTS.includes(headers.host?.toLowerCase())) {
    return { error: 'forbidden', message: 'Ask for http://localhost/ or http://latchkey/ over the socket.' }
  }
  // SECURITY: a named pipe can be opened by others than its owner.
  if (secret !== undefined && !isSame(headers.authorization ?? '', `Bearer ${secret}`)) {
    return {
      error: 'forbidden',
      message: "Present the secret from the agent's file as 'Authorization: Bearer SECRET'.",
    }
  }
  const question = url.indexOf('?')
  const path = question === -1 ? url : url.slice(0, question)
  if (!isPath(path)) return { error: 'not_found' }
  const allow = ROUTES[path]
  if (method !== allow) return { error: 'method_not_allowed', message: `${path} takes ${allow} alone.`, allow }
  if (allow === 'GET' && hasBody(headers)) return { error: 'invalid_body', message: 'A GET has no body.' }
  const query = question === -1 ? '' : url.slice(question + 1)
  if (path === '/v1/token') return readTokenQuery(query)
  return query === '' ? { path } : { error: 'invalid_parameter', message: `${path} takes no parameter.` }
}

function readTokenQuery(query: string): Asked {
  if (query === '') return { path: '/v1/token', minValidity: DEFAULT_MIN_VALIDITY }
  const [only, ...more] = new URLSearchParams(query)
  const [name, value] = only ?? []
  if (name !== 'min_validity' || value === undefined || more.length > 0) {
    return { error: 'invalid_parameter', message: 'The only parameter is min_validity, once.' }
  }
  const minValidity = /^\d{1,5}$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY
  return minValidity <= LONGEST_MIN_VALIDITY
    ? { path: '/v1/token', minValidity }
    : {
        error: 'invalid_parameter',
        message: `min_validity is a whole number of seconds from 0 to ${LONGEST_MIN_VALIDITY}.`,
      }
}

/** Text where the tool prefers it by name to JSON (RFC 9110 section 12.5.1). */
export function formOf(accept: string | undefined): Form {
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

const isPath = (path: string): path is Path => Object.hasOwn(ROUTES, path)

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** SECURITY: takes the same time whatever is presented. */
function isSame(presented: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(presented), digest(expected))
}
