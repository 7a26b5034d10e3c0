import type { Agent } from 'node:https'
import type { FailureDetails, Outcome } from '../../preload/contract.ts'
import type { Clock } from '../session/ports.ts'
import type { Answer } from './answer.ts'
import { type HttpRequest, secretsOf } from './request.ts'
import { failureOfError, type Seen } from './trouble.ts'

const CONNECT_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 30_000

/** How an address is reached. An agent that a proxy refuses a tunnel fails with `ProxyRefusal`. */
export interface Route {
  /** Of its own for one request: no connection is kept. */
  readonly agent?: Agent
  /** The proxy's host and port, for the details line. Never its credentials. */
  readonly proxy?: string
}

export interface HttpOptions {
  /** `Latchkey/1.2.3` */
  readonly userAgent: string
  readonly clock: Pick<Clock, 'wall'>
  /** Milliseconds until the connection stands: route, name, TCP and TLS. 10 s. */
  readonly connectTimeout?: number
  /** Milliseconds for the whole request. 30 s. */
  readonly requestTimeout?: number
  /** Asked once a request, for https alone; where it is absent, the connection is direct. */
  readonly routeFor?: (url: URL) => Promise<Route>
  /** All certificates to trust, as PEM: they replace the built-in ones. Asked once a request. */
  readonly trusted?: () => Promise<readonly string[]>
}

export interface HttpClient {
  /** Sends once. What a network does is a failure; what the answer means is the caller's to say. */
  send(request: HttpRequest): Promise<Outcome<Answer>>
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

/** Host and port, the scheme's own port too. */
const hostOf = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`

/** SECURITY: credentials go over TLS, or don't leave this machine. */
const maySend = (url: URL): boolean =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) &&
  url.username === '' &&
  url.password === ''

function startDeadlines(connect: number, request: number) {
  const controller = new AbortController()
  const { signal } = controller
  const connecting = setTimeout(() => controller.abort('connect timeout'), connect)
  const whole = setTimeout(() => controller.abort('request timeout'), request)
  return {
    signal,
    passed: new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    onConnected: () => clearTimeout(connecting),
    stop: () => {
      clearTimeout(connecting)
      clearTimeout(whole)
    },
  }
}

/** The one HTTP client: no redirect, no retry, no cookie, no cache, no kept connection. */
export function createHttpClient(options: HttpOptions): HttpClient {
  const { userAgent, clock, connectTimeout = CONNECT_TIMEOUT, requestTimeout = REQUEST_TIMEOUT } = options

  return {
    async send(request) {
      const { operation, url } = request
      let details: FailureDetails = { operation, host: hostOf(url), at: new Date(clock.wall()).toISOString() }
      if (!maySend(url)) {
        return { ok: false, failure: { code: 'notConfigured', details: { ...details, cause: 'not https' } } }
      }

      const { exchange } = await import('./exchange.ts')
      const { signal, passed, onConnected, stop } = startDeadlines(connectTimeout, requestTimeout)
      const seen: Seen = {}
      const run = async () => {
        const route = url.protocol === 'https:' ? ((await options.routeFor?.(url)) ?? {}) : {}
        if (route.proxy !== undefined) details = { ...details, proxy: route.proxy }
        const trusted = await options.trusted?.()
        signal.throwIfAborted()
        return exchange({ request, userAgent, route, trusted, signal, seen, onConnected })
      }
      try {
        const raw = await Promise.race([run(), passed])
        return { ok: true, value: { ...raw, details, secrets: secretsOf(request) } }
      } catch (error) {
        const cause: unknown = signal.aborted ? { code: signal.reason } : error
        return { ok: false, failure: failureOfError(cause, seen, details) }
      } finally {
        stop()
      }
    },
  }
}
