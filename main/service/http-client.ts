import type { Agent } from 'node:https'
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { type Failure, type FailureDetails, fail, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { unlessAborted } from '../base/waits.ts'
import {
  type ClientIdentity,
  type ExchangeOptions,
  exchange,
  type HttpRequest,
  isLoopback,
  type OpenRequest,
  type OpenResponse,
  openExchange,
  secretsOf,
} from './exchange.ts'
import {
  type ExchangeTrace,
  errorWithCode,
  failureOfError,
  isCertificateError,
  type ProxyError,
  proxyErrorOf,
} from './exchange-error.ts'
import { type HttpResponse, hostOf } from './response.ts'

export const CONNECT_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/** A way to an address, direct or through a proxy. Its agent fails with `ProxyError` if the proxy opens no tunnel. */
export interface Route {
  /** The agent to connect with, for one request only. */
  readonly agent?: Agent
  /** Opens a TLS connection that may outlive the request. */
  readonly open?: (service: ConnectionOptions) => Promise<Socket>
  /** The proxy's host and port, without credentials. */
  readonly proxy?: string
  /** The environment variable that names the proxy, if it comes from one. */
  readonly proxyVariable?: string
  /** Finds the next route to try after this proxy opened no tunnel. */
  readonly otherwise?: (proxyError: ProxyError) => Promise<Route | undefined>
}

export interface RouteRequest {
  readonly url: URL
  /** The trusted certificates in PEM; by default, those that are built into Node. */
  readonly trusted?: readonly string[] | undefined
  /** The time by which there must be a connection. Several proxies may share the time until then. */
  readonly connectBy: number
  readonly signal: AbortSignal
}

export interface HttpOptions {
  /** The `User-Agent` header, for example `Latchkey/1.2.3`. */
  readonly userAgent: string
  readonly clock: Clock
  /** Milliseconds to find a route and the host, and to connect with TCP and TLS. 10 s by default. */
  readonly connectTimeout?: number
  /** Milliseconds for the whole request. 30 s by default. */
  readonly requestTimeout?: number
  /** Called once for each https request. By default, the route is direct. */
  readonly routeFor?: (request: RouteRequest) => Promise<Route>
  /** All trusted certificates, as PEM. Called once for each https request. */
  readonly trusted?: () => Promise<readonly string[]>
  /** Called if a certificate wasn't trusted, because the trusted ones may have changed. */
  readonly onUntrusted?: () => void
  /** The client certificate. Called once for each https request. */
  readonly identityFor?: (url: URL) => Promise<ClientIdentity | undefined>
  /** Called with the outcome of each `send`. */
  readonly onOutcome?: (outcome: Outcome<HttpResponse>) => void
}

export interface HttpClient {
  /** Sends once. Network errors become failures; what the response means is up to the caller. */
  send(request: HttpRequest): Promise<Outcome<HttpResponse>>
}

export interface StreamingClient {
  /** Sends once, and resolves with the response's head. Only the connection has a deadline. */
  open(request: OpenRequest): Promise<Outcome<OpenResponse>>
}

/** SECURITY: credentials travel over TLS or stay on this machine. */
const maySend = (url: URL): boolean =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
  url.username === '' &&
  url.password === ''

/** Whether a certificate wasn't trusted. If it was a proxy's certificate, `details.cause` has the code. */
const isUntrusted = ({ code, details }: Failure): boolean =>
  code === 'untrustedCertificate' || isCertificateError(details?.cause ?? '')

/** This client doesn't follow redirects, retry, keep cookies, cache, or use a connection twice. */
export function createHttpClient(options: HttpOptions): HttpClient & StreamingClient {
  const { userAgent, clock, connectTimeout = CONNECT_TIMEOUT_MS, requestTimeout = REQUEST_TIMEOUT_MS } = options

  /** Uses the first route that works. */
  async function attempt<R extends HttpRequest | OpenRequest, T>(
    request: R,
    deadlines: Deadlines,
    run: (options: ExchangeOptions<R>) => Promise<T>,
  ): Promise<Outcome<{ readonly value: T; readonly details: FailureDetails; readonly askedAt: number }>> {
    const { operation, url } = request
    const askedAt = clock.wall()
    const requested: FailureDetails = { operation, host: hostOf(url), at: new Date(askedAt).toISOString() }
    const isTls = url.protocol === 'https:'
    let details = requested
    let trace: ExchangeTrace = {}
    const overRoutes = async () => {
      const trusted = isTls ? await options.trusted?.() : undefined
      const identity = isTls ? await options.identityFor?.(url) : undefined
      const routeRequest = { url, trusted, connectBy: deadlines.connectBy, signal: deadlines.signal }
      let route: Route = isTls ? ((await options.routeFor?.(routeRequest)) ?? {}) : {}
      for (;;) {
        const { agent, proxy, proxyVariable } = route
        trace = {}
        details = proxy === undefined ? requested : { ...requested, proxy, ...(proxyVariable && { proxyVariable }) }
        try {
          return await run({ request, userAgent, agent, trusted, identity, deadlines, trace })
        } catch (error) {
          // SECURITY: a refresh token must not be sent twice, so another route is tried only if no tunnel was opened.
          const proxyError = proxyErrorOf(error)
          const next = proxyError && (await route.otherwise?.(proxyError))
          if (next === undefined) throw error
          route = next
        }
      }
    }
    try {
      if (!maySend(url)) return fail({ code: 'notConfigured', details: { ...requested, cause: 'not https' } })
      return { ok: true, value: { value: await unlessAborted(deadlines.signal, overRoutes()), details, askedAt } }
    } catch (error) {
      const { aborted, reason } = deadlines.signal
      const failure = failureOfError(aborted ? reason : error, trace, details)
      if (isUntrusted(failure)) options.onUntrusted?.()
      return fail(failure)
    } finally {
      deadlines.stop()
    }
  }

  return {
    async send(request) {
      const whole = Math.min(requestTimeout, request.timeoutMs ?? Number.POSITIVE_INFINITY)
      const sent = await attempt(request, new Deadlines(clock, connectTimeout, whole), exchange)
      const outcome: Outcome<HttpResponse> = sent.ok ? { ok: true, value: responseTo(request, sent.value) } : sent
      options.onOutcome?.(outcome)
      return outcome
    },
    async open(request) {
      const deadlines = new Deadlines(clock, connectTimeout, Number.POSITIVE_INFINITY, request.signal)
      const outcome = await attempt(request, deadlines, openExchange)
      return outcome.ok ? { ok: true, value: outcome.value.value } : outcome
    },
  }
}

type Sent = Pick<HttpResponse, 'details' | 'askedAt'> & { readonly value: Awaited<ReturnType<typeof exchange>> }

const responseTo = (request: HttpRequest, { value, ...rest }: Sent): HttpResponse => {
  return { ...value, ...rest, secrets: () => secretsOf(request) }
}

/** The deadlines of one request. If one passes while the computer sleeps, the request ends on resume. */
export class Deadlines {
  readonly connectBy: number
  /** Aborted when a deadline passes or the caller aborts. */
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #cancelConnect: () => void
  readonly #cancelRequest: () => void

  /** The timeouts `connect` and `request` are in milliseconds. */
  constructor(clock: Pick<Clock, 'now' | 'at'>, connect: number, request: number, caller?: AbortSignal) {
    this.signal = caller ? AbortSignal.any([caller, this.#controller.signal]) : this.#controller.signal
    const start = clock.now()
    this.connectBy = start + connect
    const endAt = (deadline: number, which: string) =>
      clock.at(deadline, () => {
        this.stop()
        this.#controller.abort(errorWithCode(which))
      })
    this.#cancelConnect = connect < request ? endAt(this.connectBy, 'connect timeout') : () => {}
    this.#cancelRequest = request === Number.POSITIVE_INFINITY ? () => {} : endAt(start + request, 'request timeout')
  }

  /** Cancels the deadline for connecting. */
  connected(): void {
    this.#cancelConnect()
  }

  stop(): void {
    this.#cancelConnect()
    this.#cancelRequest()
  }
}
