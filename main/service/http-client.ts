import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type Agent, Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type ConnectionOptions, TLSSocket } from 'node:tls'
import type { Request } from 'got'
import got from 'got'
import { type Failure, type FailureDetails, fail, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { unlessAborted } from '../base/waits.ts'
import { decoded, LARGEST_RESPONSE_BYTES, TOO_LARGE } from './content-encoding.ts'
import {
  type ExchangeTrace,
  errorWithCode,
  failureOfError,
  isCertificateError,
  MOST_INTERIM_RESPONSES,
  type ProxyError,
  ProxyRefusal,
  proxyErrorOf,
  recordCertificate,
} from './exchange-error.ts'
import { authorizationHeader, formBody, type HttpRequest, jsonBody, type OpenRequest, secretsOf } from './request.ts'
import { type HttpResponse, hostOf } from './response.ts'
import { type ClientIdentity, isLoopback, tlsOptions, toIpv4Loopback } from './transport.ts'

export const CONNECT_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/** A way to an address, direct or through a proxy. Its agent fails with `ProxyError` if the proxy opens no tunnel. */
export interface Route {
  /** The agent to connect with, for one request only. */
  readonly agent?: Agent
  /** Opens a TLS connection that may outlive the request. */
  readonly open?: (service: ConnectionOptions) => Promise<Socket>
  /** The proxy's name (see `proxyName`), which contains no credentials. */
  readonly proxy?: string
  readonly proxyVariable?: string
  /** Finds the next route to try if this proxy opens no tunnel. */
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
  readonly userAgent: string
  readonly clock: Clock
  /** How many milliseconds connecting may take, including the search for a route. 10 s by default. */
  readonly connectTimeout?: number
  /** How many milliseconds the whole request may take. 30 s by default. */
  readonly requestTimeout?: number
  /** Called once for each https request. By default, the route is direct. */
  readonly routeFor?: (request: RouteRequest) => Promise<Route>
  readonly trusted?: () => Promise<readonly string[]>
  /** Called if a certificate wasn't trusted, because the trusted ones may have changed. */
  readonly onUntrusted?: () => void
  readonly identityFor?: (url: URL) => Promise<ClientIdentity | undefined>
  readonly onOutcome?: (outcome: Outcome<HttpResponse>) => void
}

export interface HttpClient {
  /** Sends once. Network errors become failures; what the response means is up to the caller. */
  send(request: HttpRequest): Promise<Outcome<HttpResponse>>
}

export interface StreamingClient {
  /** Sends once, and resolves with the response's head. Connecting has a deadline, but the response has none. */
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
class Deadlines {
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

  /** Cancels the deadline for connecting. With TLS, the service has been verified by then. */
  connected(): void {
    this.#cancelConnect()
  }

  stop(): void {
    this.#cancelConnect()
    this.#cancelRequest()
  }
}

/** In bytes. Some services send more cookies and policies than Node's own limit of 16 KiB allows. */
const LARGEST_HEAD_BYTES = 64 * 1024

interface ExchangeOptions<R = HttpRequest> {
  readonly request: R
  readonly userAgent: string
  readonly agent?: HttpsAgent | undefined
  readonly trusted?: readonly string[] | undefined
  readonly identity?: ClientIdentity | undefined
  readonly deadlines: Deadlines
  readonly trace: ExchangeTrace
}

const isVerified = (socket: Socket | undefined): boolean => socket instanceof TLSSocket && socket.authorized

/** Watches for the response. With https, only a verified server's response is accepted. */
function watch(stream: Request, { request, trace, deadlines }: ExchangeOptions<Pick<HttpRequest, 'url'>>): void {
  const isTls = request.url.protocol === 'https:'
  const onConnected = () => {
    trace.isSent = true
    deadlines.connected()
  }
  stream.once('request', (sent: ClientRequest) => {
    let interim = 0
    sent.on('information', () => {
      interim += 1
      if (interim > MOST_INTERIM_RESPONSES) sent.destroy(errorWithCode('HTTP 1xx'))
    })
    sent.once('socket', (socket: Socket) => {
      trace.socket = socket
      if (socket instanceof TLSSocket) recordCertificate(socket, trace)
      // SECURITY: an agent must connect with TLS. Only a proxy's refusal comes over a socket that can't be written to.
      else if (isTls && socket.writable) sent.destroy(errorWithCode('no TLS'))
      if (isTls ? isVerified(socket) : !socket.connecting) onConnected()
      else socket.once(isTls ? 'secureConnect' : 'connect', onConnected)
    })
  })
  stream.once('response', ({ statusCode = 0 }: IncomingMessage) => {
    trace.status = statusCode
    deadlines.connected()
    // SECURITY: a response from outside the tunnel is the proxy's, not the service's.
    if (isTls && !isVerified(trace.socket)) stream.destroy(new ProxyRefusal(statusCode))
  })
  stream.once('upgrade', (_response: unknown, socket: Socket) => {
    socket.destroy()
    stream.destroy(errorWithCode('HTTP 101'))
  })
}

async function read(stream: Request) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    // SECURITY: leaving the loop closes the connection.
    if (size > LARGEST_RESPONSE_BYTES) break
  }
  const { response } = stream
  if (response === undefined) throw new Error('The exchange ended without a response')
  const { statusCode: status, headers } = response
  const body = Buffer.concat(chunks)
  const content =
    size > LARGEST_RESPONSE_BYTES ? { body, defect: TOO_LARGE } : decoded(headers['content-encoding'] ?? '', body)
  return { status, headers, ...content }
}

/** A client for which every option is set, so that got's defaults don't matter. */
const client = got.extend({
  // SECURITY: a redirect would carry the credentials to another address.
  followRedirect: false,
  // SECURITY: a refresh token may be valid only once, so got must not repeat a request.
  retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
  throwHttpErrors: false,
  decompress: false,
  maxHeaderSize: LARGEST_HEAD_BYTES,
  // A reused connection may be dead, and then the response would be lost.
  agent: { http: new HttpAgent({ keepAlive: false, lookup: toIpv4Loopback }) },
})

const gotOptions = ({ cert, ...others }: ReturnType<typeof tlsOptions>) => ({
  ...others,
  ...(cert !== undefined && { certificate: cert }),
})

const overTls = ({ agent, trusted, identity }: Pick<ExchangeOptions, 'agent' | 'trusted' | 'identity'>) => ({
  // With a new agent for each request, no request resumes another's TLS session.
  agent: { https: agent ?? new HttpsAgent() },
  https: {
    // SECURITY: set here, because an environment variable can turn the check of certificates off.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(trusted && { certificateAuthority: [...trusted] }),
    ...(identity && gotOptions(tlsOptions(identity))),
  },
})

function begin(options: ExchangeOptions): Request {
  const { request, userAgent, deadlines } = options
  const { method, url, accept = 'application/json', authorization, json, form } = request
  return client.stream(url, {
    method,
    headers: {
      'user-agent': userAgent,
      accept,
      'accept-encoding': 'identity',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(authorization && { authorization: authorizationHeader(authorization) }),
    },
    signal: deadlines.signal,
    // SECURITY: secrets stay wrapped until the body is written.
    ...(json && { json, stringifyJson: () => jsonBody(json) }),
    ...(form && { body: formBody(form) }),
    ...(url.protocol === 'https:' && overTls(options)),
  })
}

/** Rejects with got's errors, which contain credentials: see `failureOfError`. */
async function exchange(options: ExchangeOptions) {
  options.deadlines.signal.throwIfAborted()
  const stream = begin(options)
  watch(stream, options)
  return read(stream)
}

export interface OpenResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The response's body. Destroying it closes the connection. SECURITY: its errors contain credentials. */
  readonly body: Readable
}

async function openExchange(options: ExchangeOptions<OpenRequest>): Promise<OpenResponse> {
  const { request, userAgent, deadlines } = options
  const { method, url, headers, body, authorization } = request
  deadlines.signal.throwIfAborted()
  const stream = client.stream(url, {
    method,
    headers: {
      ...headers,
      'user-agent': userAgent,
      'accept-encoding': 'identity',
      ...(authorization && { authorization: authorizationHeader(authorization) }),
    },
    signal: deadlines.signal,
    ...(body !== undefined && { body }),
    ...(url.protocol === 'https:' && overTls(options)),
  })
  watch(stream, options)
  if (body === undefined && method !== 'GET') stream.end()
  return new Promise((resolve, reject) => {
    // This listener is never removed, because an error without a listener would end the app.
    stream.on('error', reject)
    stream.once('response', ({ statusCode, headers }: IncomingMessage) =>
      resolve({ status: statusCode ?? 0, headers, body: stream }),
    )
  })
}
