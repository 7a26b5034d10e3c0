import { askForAnother, askForToken, connectionAt, type TokenAnswer, WAITABLE, type Wait } from './agent.ts'
import { sentDirectly } from './direct.ts'
import { LatchkeyError } from './error.ts'
import { checkAllowed, isAllowed, originOf, parseAddress, pinned } from './origins.ts'
import { initOf } from './request.ts'

export interface LatchkeyInit extends RequestInit {
  /** The connection's name; by default the first connection. */
  readonly connection?: string
  /** Servers that may get the token besides the connection's own service: origins or base URLs. */
  readonly hosts?: readonly (string | URL)[]
  /** How many seconds to wait for a token, even if the user has to sign in first; `true`: up to a week. */
  readonly wait?: Wait
}

/**
 * `fetch` with a valid token. If the server answers 401, the request is repeated with another token.
 * The token goes to the connection's own service and to the servers in `hosts`. A request to any other server fails,
 * and a redirect to another server never carries the token.
 */
export async function latchkeyFetch(input: string | URL | Request, init: LatchkeyInit = {}): Promise<Response> {
  const { connection, hosts = [], wait, ...rest } = init
  hosts.forEach(originOf)
  const asked = parseAddress(input instanceof Request ? input.url : input)
  const signal = rest.signal ?? (input instanceof Request ? input.signal : undefined)
  const ask = () => askForToken(60, connection, signal, wait)
  const answer = await ask()
  await checkAllowed(asked, answer.origin, hosts, (origin) => connectionAt(origin, signal))
  const target = pinned(asked)
  const own = input instanceof Request ? await initOf(input, rest) : rest
  const direct = target.protocol === 'http:' ? sentDirectly(rest as object, target.origin) : {}
  const send = ({ token }: TokenAnswer) => fetch(target, bearing({ ...own, ...direct }, token))
  const response = await send(answer)
  // On a redirect to another server, fetch sends no token along, so that server's 401 says nothing about the token.
  if (response.status !== 401 || (response.redirected && new URL(response.url).origin !== target.origin))
    return response
  // If Latchkey has no other token, the service's 401 says more than our error would.
  const another = await askForAnother(answer.token, connection, signal)
    // After a sign-out, the service refuses the old tokens, and only the next sign-in brings another.
    .catch((error) => (wait && error instanceof LatchkeyError && WAITABLE.includes(error.code) ? ask() : undefined))
    .catch(() => undefined)
  signal?.throwIfAborted()
  if (
    another === undefined ||
    another.token === answer.token ||
    !canRepeat(own.body) ||
    !isAllowed(asked, another.origin, hosts)
  )
    return response
  await response.body?.cancel()
  return send(another)
}

function bearing(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${token}`)
  return { ...init, headers }
}

/** A stream can't be sent twice. */
const canRepeat = (body: RequestInit['body']): boolean =>
  body === undefined || body === null || !(body instanceof ReadableStream || Symbol.asyncIterator in Object(body))
