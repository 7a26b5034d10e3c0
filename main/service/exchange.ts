/** Sends one request with got and returns the raw response. */
import { isUtf8 } from 'node:buffer'
import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import type { Request } from 'got'
import got from 'got'
import { isExpressible } from '../../contract/input-fields.ts'
import { type Password, Secret } from '../base/secret.ts'
import { type ClientIdentity, tlsOptions } from './client-identity.ts'
import { errorWithCode, MOST_INTERIM_RESPONSES, ProxyRefusal, recordCertificate, type Seen } from './exchange-error.ts'
import { toIpv4Loopback } from './loopback.ts'

const LARGEST_ANSWER = 256 * 1024
const TOO_LARGE = 'answer over 256 KiB'
/** Node's own 16 KiB are too little for some services' cookies and policies. */
const LARGEST_HEAD = 64 * 1024

export interface ExchangeOptions<R = HttpRequest> {
  readonly request: R
  readonly userAgent: string
  /** The agent for this request, which opens the connection; by default directly to the host. */
  readonly agent?: HttpsAgent | undefined
  /** The certificates to trust, as PEM. Default: Node's built-in ones. */
  readonly trusted?: readonly string[] | undefined
  readonly identity?: ClientIdentity | undefined
  readonly deadlines: {
    /** Aborts the request and closes its connection. */
    readonly signal: AbortSignal
    /** Called once the connection is established and, with TLS, verified. */
    connected(): void
  }
  readonly seen: Seen
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

/** Content that is larger once it is decompressed. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

/** `deflate` means zlib's format (RFC 9110 section 8.4.1.2), but some servers send the bare one. */
function inflated(body: Uint8Array, options: ZlibOptions): Uint8Array {
  try {
    return inflateSync(body, options)
  } catch (error) {
    if (isTooLarge(error)) throw error
    return inflateRawSync(body, options)
  }
}

/** The length of a header without optional fields (RFC 1952 section 2.3). */
const GZIP_HEADER = 10

/** Bytes after the end of the content, which Node refuses, don't matter: a refresh token may be in it. */
function unzipped(body: Uint8Array, options: ZlibOptions): Uint8Array {
  try {
    return gunzipSync(body, options)
  } catch (error) {
    if (isTooLarge(error) || body[3] !== 0) throw error
    return inflateRawSync(body.subarray(GZIP_HEADER), options)
  }
}

const DECODERS: { readonly [encoding: string]: (body: Uint8Array, options: ZlibOptions) => Uint8Array } = {
  gzip: unzipped,
  'x-gzip': unzipped,
  deflate: inflated,
  br: brotliDecompressSync,
}
/** Compressions that the decoders don't know. Any other word (`identity`, `none`, `utf-8`) says nothing. */
const UNKNOWN: ReadonlySet<string> = new Set(['zstd', 'compress', 'x-compress', 'dcb', 'dcz'])
const MOST_ENCODINGS = 3

/** Some gateways compress responses although the request forbids it, or say so although they don't. */
function decoded(contentEncoding: string, body: Uint8Array): Pick<RawResponse, 'body' | 'defect'> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => Object.hasOwn(DECODERS, each) || UNKNOWN.has(each))
  if (encodings.length === 0 || body.length === 0) return { body }
  try {
    if (encodings.length > MOST_ENCODINGS) throw new Error('too many encodings')
    // SECURITY: the limit also applies to the decompressed content.
    const options = { maxOutputLength: LARGEST_ANSWER }
    const content = encodings.reduceRight((bytes, each) => {
      const decode = DECODERS[each]
      if (decode === undefined) throw new Error('unknown encoding')
      return decode(bytes, options)
    }, body)
    return { body: content }
  } catch (error) {
    if (isTooLarge(error)) return { body: new Uint8Array(), defect: TOO_LARGE }
    // Compressed content isn't text, so this was never compressed.
    return isUtf8(body) ? { body } : { body: new Uint8Array(), defect: 'content encoding' }
  }
}

/** Records in `seen` what happens on the connection. For https, accepts a response only from a verified server. */
function watch(stream: Request, { request, seen, deadlines }: ExchangeOptions<Pick<HttpRequest, 'url'>>): void {
  const isTls = request.url.protocol === 'https:'
  const onConnected = () => {
    seen.isSent = true
    deadlines.connected()
  }
  stream.once('request', (sent: ClientRequest) => {
    let interim = 0
    // SECURITY: without this limit, endless interim responses would keep the request open until its deadline.
    sent.on('information', () => {
      interim += 1
      if (interim > MOST_INTERIM_RESPONSES) sent.destroy(errorWithCode('HTTP 1xx'))
    })
    sent.once('socket', (socket: Socket) => {
      seen.socket = socket
      if (socket instanceof TLSSocket) recordCertificate(socket, seen)
      // SECURITY: for https, an agent's connection must use TLS, except a socket that can't be written to, by which
      // some agents pass on a proxy's refusal.
      else if (isTls && socket.writable) sent.destroy(errorWithCode('no TLS'))
      if (isTls ? isVerified(socket) : !socket.connecting) onConnected()
      else socket.once(isTls ? 'secureConnect' : 'connect', onConnected)
    })
  })
  stream.once('response', ({ statusCode = 0 }: IncomingMessage) => {
    seen.status = statusCode
    deadlines.connected()
    // SECURITY: a response that did not come through the tunnel is from the proxy.
    if (isTls && !isVerified(seen.socket)) stream.destroy(new ProxyRefusal(statusCode))
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
    if (size > LARGEST_ANSWER) break
  }
  const { response } = stream
  if (response === undefined) throw new Error('The exchange ended without a response')
  const { statusCode: status, headers } = response
  const body = Buffer.concat(chunks)
  const content = size > LARGEST_ANSWER ? { body, defect: TOO_LARGE } : decoded(headers['content-encoding'] ?? '', body)
  return { status, headers, ...content }
}

/** The options of every request, without relying on got's defaults. */
const client = got.extend({
  // SECURITY: a redirect would carry the credentials elsewhere.
  followRedirect: false,
  // SECURITY: a refresh token may be valid only once, so only the engine decides about retries.
  retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
  throwHttpErrors: false,
  decompress: false,
  maxHeaderSize: LARGEST_HEAD,
  // A reused connection would save a handshake, but it may be dead, and the reply then lost.
  agent: { http: new HttpAgent({ keepAlive: false, lookup: toIpv4Loopback }) },
})

/** Got has a name of its own for `cert`. */
const gotOptions = ({ cert, ...others }: ReturnType<typeof tlsOptions>) => ({
  ...others,
  ...(cert !== undefined && { certificate: cert }),
})

const overTls = ({ agent, trusted, identity }: Pick<ExchangeOptions, 'agent' | 'trusted' | 'identity'>) => ({
  // A new agent for each request, because a new agent can't resume another request's TLS session.
  agent: { https: agent ?? new HttpsAgent() },
  https: {
    // SECURITY: set explicitly, because an environment variable can turn off the check of certificates.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(trusted && { certificateAuthority: [...trusted] }),
    ...(identity && gotOptions(tlsOptions(identity))),
  },
})

/** Starts the request and returns it. */
export function begin(options: ExchangeOptions): Request {
  const { request, userAgent, deadlines } = options
  const { method, url, json, form } = request
  return client.stream(url, {
    method,
    headers: headersOf(request, userAgent),
    signal: deadlines.signal,
    // SECURITY: the secrets stay wrapped until the body is written.
    ...(json && { json, stringifyJson: () => jsonBody(json) }),
    ...(form && { body: formBody(form) }),
    ...(url.protocol === 'https:' && overTls(options)),
  })
}

/** Rejects with got's errors. They contain credentials, so only extracted data may leave this file. */
export async function exchange(options: ExchangeOptions): Promise<RawResponse> {
  options.deadlines.signal.throwIfAborted()
  const stream = begin(options)
  watch(stream, options)
  return read(stream)
}

/** A response whose content is still arriving. */
export interface OpenResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Destroying it closes the connection. SECURITY: its errors contain credentials, so only extracted data may be kept. */
  readonly body: Readable
}

/** Resolves with the head of the response. Rejects like `exchange`. */
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
    // Stays when the promise is settled: without a listener, a later error would end the app.
    stream.on('error', reject)
    stream.once('response', ({ statusCode, headers }: IncomingMessage) =>
      resolve({ status: statusCode ?? 0, headers, body: stream }),
    )
  })
}

export type Authorization =
  | { readonly kind: 'basic'; readonly username: string; readonly password: Password }
  | { readonly kind: 'bearer'; readonly token: Secret }
  /** A client and its secret, each form-encoded before they become Basic credentials (RFC 6749 section 2.3.1). */
  | { readonly kind: 'client'; readonly id: string; readonly secret: Secret }

/** One request. Its secrets are only revealed when it is sent. */
export interface HttpRequest {
  /** The name of the operation, for the details of a failure. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** The timeout of the whole request, if it is shorter than the usual one. */
  readonly timeoutMs?: number
  readonly authorization?: Authorization
  /** The type of response to ask for; by default JSON. Some providers send browsers elsewhere than programs. */
  readonly accept?: 'application/json' | 'text/html'
  readonly json?: Readonly<Record<string, string | Secret>>
  /** Fields to send as `application/x-www-form-urlencoded` instead of JSON. */
  readonly form?: Readonly<Record<string, string | Secret>>
}

/** A request whose response is read while it arrives, for as long as the server sends. */
export interface OpenRequest {
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly authorization?: Authorization
  /** Aborts the request and its response. */
  readonly signal: AbortSignal
}

/**
 * The timeout of a refresh: short enough to send the same token again within a grace period of 30 s if no reply
 * arrives.
 */
export const REFRESH_TIMEOUT_MS = 20_000

export const isBasicPassword = (password: Password): boolean => isExpressible(password.reveal())

/** Credentials in UTF-8 (RFC 7617 section 2.1). */
const basicCredentials = (username: string, password: string): Secret =>
  new Secret('basic credentials', Buffer.from(`${username}:${password}`, 'utf8').toString('base64'))

/** Encodes a text as in a form (RFC 6749 appendix B). Unlike `encodeURIComponent`, it leaves fewer characters as is. */
export const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** The value of the header `Authorization`. */
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

/** Every secret in the request, in each form in which the request contains it. */
export function secretsOf({ authorization, json = {}, form = {} }: HttpRequest): readonly Secret[] {
  const sent = [...Object.values(json), ...Object.values(form)].filter((value) => value instanceof Secret)
  if (authorization === undefined) return sent
  if (authorization.kind === 'bearer') return [authorization.token, ...sent]
  const secret = authorization.kind === 'basic' ? authorization.password : authorization.secret
  return [secret, credentialsOf(authorization), ...sent]
}
