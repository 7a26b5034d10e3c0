/** One request and its raw answer, over got. Loaded on first use: a start without a session needs none of it. */
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { TLSSocket } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import got from 'got'
import type { Route } from './http-client.ts'
import { authorizationHeader, type HttpRequest, jsonBody } from './request.ts'
import { noteCertificate, ProxyRefusal, type Seen } from './trouble.ts'

const LARGEST_ANSWER = 256 * 1024
const TOO_LARGE = 'answer over 256 KiB'

export interface ExchangeOptions {
  readonly request: HttpRequest
  readonly userAgent: string
  readonly route: Route
  /** PEM; the built-in ones where absent. */
  readonly trusted?: readonly string[] | undefined
  readonly signal: AbortSignal
  readonly seen: Seen
  /** Called once the connection stands: verified, where it is TLS. */
  readonly onConnected: () => void
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  readonly defect?: string
}

function headersOf({ authorization, json }: HttpRequest, userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(authorization && { authorization: authorizationHeader(authorization) }),
    ...(json && { 'content-type': 'application/json' }),
  }
}

/** Some gateways compress though they were asked not to. */
function decoded(headers: IncomingHttpHeaders, body: Uint8Array): Pick<RawAnswer, 'body' | 'defect'> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
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

export async function exchange(options: ExchangeOptions): Promise<RawAnswer> {
  const { request, route, seen, signal, trusted } = options
  const isTls = request.url.protocol === 'https:'
  const stream = got.stream(request.url, {
    method: request.method,
    headers: headersOf(request, options.userAgent),
    ...(request.json && { body: jsonBody(request.json) }),
    // One connection a request: a kept one may be dead, and a lost reply costs more than a handshake.
    agent: { http: route.http ?? new HttpAgent(), https: route.https ?? new HttpsAgent() },
    https: {
      // SECURITY: said, not left to defaults, which the environment can turn off.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(trusted && { certificateAuthority: [...trusted] }),
    },
    // SECURITY: a redirect would carry the credentials elsewhere.
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    signal,
  })
  stream.once('request', (sent) => {
    sent.once('socket', (socket) => {
      seen.socket = socket
      if (socket instanceof TLSSocket && !socket.authorized) noteCertificate(socket, seen)
      if (socket instanceof TLSSocket ? socket.authorized : !socket.connecting) options.onConnected()
      else socket.once(isTls ? 'secureConnect' : 'connect', options.onConnected)
    })
  })
  // Nobody asked for another protocol, and got would leave the connection open.
  stream.once('upgrade', (_response: unknown, socket: { destroy(): void }) => socket.destroy())

  let response: IncomingMessage | undefined
  stream.once('response', (arrived: IncomingMessage) => {
    response = arrived
    options.onConnected()
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > LARGEST_ANSWER) break
  }
  return { status: 0, headers: {}, body: Buffer.concat(chunks), ...decoded({}, Buffer.concat(chunks)) }
}
