import { askForAnother, askForToken } from './agent.ts'
import { checkAllowed, isAllowed, originOf, parseAddress } from './origins.ts'

export interface LatchkeyInit extends RequestInit {
  /** The connection's name; by default the first connection. */
  readonly connection?: string
  /** Servers that may receive the token in addition to the connection's own service: origins or base URLs. */
  readonly hosts?: readonly (string | URL)[]
}

/**
 * `fetch` with a valid token. If the server answers 401, `latchkeyFetch` repeats the request with another token.
 *
 * The token goes to the connection's own service and to the servers named in `hosts`. A request to any other server
 * fails, and a redirect to another server never carries the token.
 */
export async function latchkeyFetch(url: string | URL, init: LatchkeyInit = {}): Promise<Response> {
  const { connection, hosts = [], ...rest } = init
  hosts.forEach(originOf)
  const target = parseAddress(url)
  const answer = await askForToken(60, connection)
  checkAllowed(target, answer.origin, hosts)
  const response = await fetch(target, bearing(rest, answer.token))
  // On a redirect to another server, fetch leaves out the token, so a 401 from there says nothing about the token.
  if (response.status !== 401 || (response.redirected && new URL(response.url).origin !== target.origin))
    return response
  const another = await askForAnother(answer.token, connection)
  if (!canRepeat(rest.body) || !isAllowed(target, another.origin, hosts)) return response
  await response.body?.cancel()
  return fetch(target, bearing(rest, another.token))
}

function bearing(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${token}`)
  return { ...init, headers }
}

/** False for a stream, which can't be sent twice. */
const canRepeat = (body: RequestInit['body']): boolean =>
  body === undefined || body === null || !(body instanceof ReadableStream || Symbol.asyncIterator in Object(body))
