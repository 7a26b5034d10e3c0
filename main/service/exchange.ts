/** One request and its raw answer, over got. */
import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import got, { type Request } from 'got'
import { type ClientIdentity, revealed } from './client-identity.ts'
import type { Deadlines } from './deadlines.ts'
import { authorizationHeader, formBody, type HttpRequest, jsonBody } from './request.ts'
import { noteCertificate, ProxyRefusal, type Seen } from './trouble.ts'

const LARGEST_ANSWER = 256 * 1024
const TOO_LARGE = 'answer over 256 KiB'
const MOST_INTERIM_RESPONSES = 16

export interface ExchangeOptions {
  readonly request: HttpRequest
  readonly userAgent: string
  /** Of its own for this request: it makes the connection. Straight to the host where absent. */
  readonly agent?: HttpsAgent | undefined
  /** PEM; the built-in ones where absent. */
  readonly trusted?: readonly string[] | undefined
  readonly identity?: ClientIdentity | undefined
  /** They end it and its connection; they are told once that stands: verified, where it is TLS. */
  readonly deadlines: Pick<Deadlines, 'signal' | 'connected'>
  readonly seen: Seen
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  readonly defect?: string | undefined
}

function headersOf({ authorization, form }: HttpRequest, userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(authorization && { authorization: authorizationHeader(authorization) }),
  }
}

const trouble = (code: string): Error => Object.assign(new Error(code), { code })

const isVerified = (socket: Socket | undefined): boolean => socket instanceof TLSSocket && socket.authorized

/** Some gateways compress though they were asked not to. */
function decoded(contentEncoding: string, body: Uint8Array): Pick<RawAnswer, 'body' | 'defect'> {
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || body.length === 0) return { body }
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return { body: new Uint8Array(), defect: 'content encoding' }
  try {
    // SECURITY: the limit holds for what comes out, too.
    return { body: gunzipSync(body, { maxOutputLength: LARGEST_ANSWER }) }
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return { body: new Uint8Array(), defect: tooLarge ? TOO_LARGE : 'content encoding' }
  }
}

/** Notes what is seen of the connection, and lets nobody but the verified peer answer. */
function watch(stream: Request, { request, seen, deadlines }: ExchangeOptions): void {
  const isTls = request.url.protocol === 'https:'
  const stands = () => {
    seen.isSent = true
    deadlines.connected()
  }
  stream.once('request', (sent: ClientRequest) => {
    let interim = 0
    // SECURITY: a server may send interim responses without end, which none of the other limits ends before the deadline.
    sent.on('information', () => {
      interim += 1
      if (interim > MOST_INTERIM_RESPONSES) sent.destroy(trouble('HTTP 1xx'))
    })
    sent.once('socket', (socket: Socket) => {
      seen.socket = socket
      if (socket instanceof TLSSocket) noteCertificate(socket, seen)
      // SECURITY: what an agent hands over for https must be TLS, or a proxy's refusal to be read.
      else if (isTls && socket.writable) sent.destroy(trouble('no TLS'))
      if (isTls ? isVerified(socket) : !socket.connecting) stands()
      else socket.once(isTls ? 'secureConnect' : 'connect', stands)
    })
  })
  stream.once('response', ({ statusCode = 0 }: IncomingMessage) => {
    seen.status = statusCode
    deadlines.connected()
    // SECURITY: what did not come through the tunnel is a proxy speaking, whatever it says.
    if (isTls && !isVerified(seen.socket)) stream.destroy(new ProxyRefusal(statusCode))
  })
  stream.once('upgrade', (_response: unknown, socket: Socket) => {
    socket.destroy()
    stream.destroy(trouble('HTTP 101'))
  })
}

async function read(stream: Request): Promise<RawAnswer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    // SECURITY: leaving the loop closes the connection, whatever else would come.
    if (size > LARGEST_ANSWER) break
  }
  const { response } = stream
  if (response === undefined) throw new Error('The exchange ended without an answer')
  const { statusCode: status, headers } = response
  const body = Buffer.concat(chunks)
  const content = size > LARGEST_ANSWER ? { body, defect: TOO_LARGE } : decoded(headers['content-encoding'] ?? '', body)
  return { status, headers, ...content }
}

/**
 * Resolves every name to 127.0.0.1. Plain HTTP goes to this machine alone, and `localhost` is its only name.
 * SECURITY: a service on 127.0.0.1:PORT leaves [::1]:PORT free for any user of this machine to take.
 */
const toIpv4Loopback: LookupFunction = (_hostname, { all }, done) =>
  all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/** What holds for every request: nothing that matters is left to got's defaults. */
const client = got.extend({
  // SECURITY: a redirect would carry the credentials elsewhere.
  followRedirect: false,
  // SECURITY: a refresh token can be spent once; whether to ask again is for the engine to say.
  retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
  throwHttpErrors: false,
  decompress: false,
  // One connection a request: a kept one may be dead, and a lost reply costs more than a handshake.
  agent: { http: new HttpAgent({ keepAlive: false, lookup: toIpv4Loopback }) },
})

const overTls = ({ agent, trusted, identity }: ExchangeOptions) => ({
  // The same; and no session of TLS is resumed that another request has begun.
  agent: { https: agent ?? new HttpsAgent() },
  https: {
    // SECURITY: said, not left to defaults, which the environment can turn off.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(trusted && { certificateAuthority: [...trusted] }),
    ...(identity && revealed(identity)),
  },
})

/** The request, begun. */
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

/** Rejects with got's own errors, which carry credentials: nothing of them but data may go further. */
export async function exchange(options: ExchangeOptions): Promise<RawAnswer> {
  options.deadlines.signal.throwIfAborted()
  const stream = begin(options)
  watch(stream, options)
  return read(stream)
}
