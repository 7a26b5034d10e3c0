import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Request } from 'got'
import got from 'got'
import { isExpressible } from '../../contract/input-fields.ts'
import { type Password, Secret } from '../base/secret.ts'
import { decoded, LARGEST_RESPONSE_BYTES, TOO_LARGE } from './content-encoding.ts'
import {
  type ExchangeTrace,
  errorWithCode,
  MOST_INTERIM_RESPONSES,
  ProxyRefusal,
  recordCertificate,
} from './exchange-error.ts'

/**
 * The largest head of a response, in bytes. Some services send more cookies and policies than Node's own limit of 16
 * KiB allows.
 */
const LARGEST_HEAD_BYTES = 64 * 1024

export interface ExchangeOptions<R = HttpRequest> {
  readonly request: R
  readonly userAgent: string
  /** Opens the connection; without an agent, it is direct. */
  readonly agent?: HttpsAgent | undefined
  /** The trusted certificates in PEM; by default, those that are built into Node. */
  readonly trusted?: readonly string[] | undefined
  readonly identity?: ClientIdentity | undefined
  readonly deadlines: {
    /** Aborts the request and closes its connection. */
    readonly signal: AbortSignal
    /** Called once there is a connection. With TLS, the service has been verified by then. */
    connected(): void
  }
  readonly trace: ExchangeTrace
}

interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  readonly defect?: string | undefined
}

function headersOf(
  { authorization, form, accept = 'application/json' }: HttpRequest,
  userAgent: string,
): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept,
    'accept-encoding': 'identity',
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(authorization && { authorization: authorizationHeader(authorization) }),
  }
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

async function read(stream: Request): Promise<RawResponse> {
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

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

/**
 * SECURITY: `localhost` may resolve to ::1, where another user could listen on the service's port and get the
 * credentials.
 */
export const toIpv4Loopback: LookupFunction = (_hostname, { all }, done) =>
  all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/** A client certificate and its key (mTLS). Whoever has the key can pose as this computer. */
export type ClientIdentity =
  /** A certificate and its key in PEM. */
  | { readonly cert: string; readonly key: Secret; readonly passphrase?: Secret }
  /** A certificate and its key as PKCS #12, in Base64. */
  | { readonly pfx: Secret; readonly passphrase?: Secret }

interface TlsOptions {
  readonly cert?: string
  readonly key?: string
  readonly pfx?: Buffer
  readonly passphrase?: string
}

/** The identity as options for `tls.createSecureContext`. */
export function tlsOptions(identity: ClientIdentity): TlsOptions {
  const passphrase = identity.passphrase && { passphrase: identity.passphrase.reveal() }
  return 'pfx' in identity
    ? { pfx: Buffer.from(identity.pfx.reveal(), 'base64'), ...passphrase }
    : { cert: identity.cert, key: identity.key.reveal(), ...passphrase }
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
  const { method, url, json, form } = request
  return client.stream(url, {
    method,
    headers: headersOf(request, userAgent),
    signal: deadlines.signal,
    // SECURITY: secrets stay wrapped until the body is written.
    ...(json && { json, stringifyJson: () => jsonBody(json) }),
    ...(form && { body: formBody(form) }),
    ...(url.protocol === 'https:' && overTls(options)),
  })
}

/** Rejects with got's errors, which contain credentials: see `failureOfError`. */
export async function exchange(options: ExchangeOptions): Promise<RawResponse> {
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

/** Resolves once the response's head has arrived. */
export async function openExchange(options: ExchangeOptions<OpenRequest>): Promise<OpenResponse> {
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

export type Authorization =
  | { readonly kind: 'basic'; readonly username: string; readonly password: Password }
  | { readonly kind: 'bearer'; readonly token: Secret }
  /** The client's id and secret, form-encoded, as Basic credentials (RFC 6749 section 2.3.1). */
  | { readonly kind: 'client'; readonly id: string; readonly secret: Secret }

/** A request whose secrets are revealed only when it is sent. */
export interface HttpRequest {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** A timeout for this request that is shorter than the usual one. */
  readonly timeoutMs?: number
  readonly authorization?: Authorization
  /**
   * The content type to ask for; JSON by default. Some providers redirect browsers and programs to different addresses.
   */
  readonly accept?: 'application/json' | 'text/html'
  readonly json?: Readonly<Record<string, string | Secret>>
  /** The body, which is sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string | Secret>>
}

/** A request whose response is read while it arrives. */
export interface OpenRequest {
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly authorization?: Authorization
  readonly signal: AbortSignal
}

/** The timeout of a refresh: short enough for the token to be sent again within a grace period of 30 s. */
export const REFRESH_TIMEOUT_MS = 20_000

export const isBasicPassword = (password: Password): boolean => isExpressible(password.reveal())

/** Basic credentials in UTF-8 (RFC 7617 section 2.1). */
const basicCredentials = (username: string, password: string): Secret =>
  new Secret('basic credentials', Buffer.from(`${username}:${password}`, 'utf8').toString('base64'))

/** The text in form encoding (RFC 6749 appendix B), which encodes more characters than `encodeURIComponent`. */
export const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

function credentialsOf(authorization: Exclude<Authorization, { kind: 'bearer' }>): Secret {
  if (authorization.kind === 'basic') {
    return basicCredentials(authorization.username, authorization.password.reveal())
  }
  return basicCredentials(formEncoded(authorization.id), formEncoded(authorization.secret.reveal()))
}

const authorizationHeader = (authorization: Authorization): string =>
  authorization.kind === 'bearer'
    ? `Bearer ${authorization.token.reveal()}`
    : `Basic ${credentialsOf(authorization).reveal()}`

type Fields = Readonly<Record<string, string | Secret>>

const revealed = (fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])

const jsonBody = (json: Fields): string => JSON.stringify(Object.fromEntries(revealed(json)))

const formBody = (form: Fields): string => new URLSearchParams(revealed(form)).toString()

export function secretsOf({ authorization, json = {}, form = {} }: HttpRequest): readonly Secret[] {
  const sent = [...Object.values(json), ...Object.values(form)].filter((value) => value instanceof Secret)
  if (authorization === undefined) return sent
  if (authorization.kind === 'bearer') return [authorization.token, ...sent]
  const secret = authorization.kind === 'basic' ? authorization.password : authorization.secret
  return [secret, credentialsOf(authorization), ...sent]
}
