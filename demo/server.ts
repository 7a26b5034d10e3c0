import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Answer, Call, Refuse } from './answer.ts'
import { type Effect, effectOf, FaultQueue, setHead, type Wire, type WireFault } from './faults.ts'

const HOST = '127.0.0.1'
const LARGEST_BODY = 16 * 1024

/** Kinds of credentials in a request: in its Authorization header or in its body. */
export type CredentialKind = 'basic' | 'bearer' | 'otherScheme' | 'refreshToken' | 'password' | 'clientSecret'

/** A request in the log: without the values of its headers, query and body. */
export interface LoggedRequest<Operation extends string = string> {
  /** Absent if no route has this path and method. */
  readonly operation?: Operation
  readonly method: string
  readonly path: string
  /** The names of the headers, in lower case. */
  readonly headers: readonly string[]
  readonly credentials: readonly CredentialKind[]
  /** The time at which the request was read, in milliseconds since the epoch by the server's clock. */
  readonly at: number
  readonly fault?: WireFault['kind']
  /** The answer's status; absent until there is an answer, and always after a reset or a hang. */
  readonly status?: number
}

export interface Route<Operation extends string> {
  readonly operation: Operation
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Called with the body of every request, even if a fault follows. */
  readonly received?: (json: unknown) => void
  readonly run: (call: Call) => Promise<Answer>
}

export interface ServerOptions {
  /** The port; by default a free one. */
  readonly port?: number
  /** The wall clock in milliseconds since the epoch; by default `Date.now`. */
  readonly now?: () => number
  /** The key and the certificate for https, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A running server that tests can watch and disturb. */
export interface ControlledServer<Operation extends string> {
  /** The server's address, such as `http://127.0.0.1:40123`. */
  readonly address: string
  readonly port: number
  /** The requests so far, the oldest first. */
  readonly requests: readonly LoggedRequest<Operation>[]
  /** The next `times` requests (default 1) of the operation get this fault. Returns a function that removes it. */
  inject(operation: Operation, fault: WireFault, options?: { times?: number }): () => void
  clearFaults(): void
  /** Refuses connections and drops the open ones. Issued tokens stay valid. */
  pause(): Promise<void>
  /** Listens again, on the same port. */
  resume(): Promise<void>
  /** Stops the server and drops hanging requests. */
  stop(): Promise<void>
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Serves the routes on 127.0.0.1. Rejects if the port is taken. */
export async function startServer<Operation extends string>(
  routes: readonly Route<Operation>[],
  refuse: Refuse,
  { port: wanted = 0, now = Date.now, tls }: ServerOptions,
): Promise<ControlledServer<Operation>> {
  const requests: LoggedRequest<Operation>[] = []
  const faults = new FaultQueue<Operation>()
  const sockets = new Set<Socket>()

  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await readBody(request)
    const json = body && readJson(body)
    const { method = '', url = '', headers } = request
    const path = url.replace(/\?.*/s, '')
    const served = routes.filter((each) => each.path === path)
    const route = served.find((each) => each.method === method)
    const entry: Mutable<LoggedRequest<Operation>> = {
      ...(route && { operation: route.operation }),
      method,
      path,
      headers: Object.keys(headers),
      credentials: credentialsOf(headers.authorization, json),
      at: now(),
    }
    requests.push(entry)
    // A reset needs the TCP socket. A TLS request doesn't expose it, so it is found by the client's port.
    const isItsSocket = (each: Socket) => each.remotePort === request.socket.remotePort
    const wire = { response, reset: () => void [...sockets].find(isItsSocket)?.resetAndDestroy() }
    const send = (answer: Answer, effect = effectOf(undefined)) => deliver(wire, entry, dated(answer, now()), effect)

    if (served.length === 0) return send(refuse(404, 'not_found', 'There is nothing at this path.'))
    if (!route) {
      const allow = served.map((each) => each.method).join(', ')
      return send(refuse(405, 'method_not_allowed', `This path takes ${allow}.`, { Allow: allow }))
    }
    if (!body) return send(refuse(413, 'payload_too_large', 'The body is larger than 16 KiB.'))
    route.received?.(json)
    const fault = faults.take(route.operation)
    if (fault) entry.fault = fault.kind
    const effect = effectOf(fault)
    const query = url.slice(path.length + 1)
    send(effect.work === 'done' ? await route.run({ headers, body, query, json }) : NOT_RUN, effect)
  }

  const listener: http.RequestListener = (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (request.socket.destroyed) return
      // An error here is a bug in this server.
      const answer = refuse(500, 'internal_error', String(error))
      if (response.headersSent) response.destroy()
      else setHead(response, answer).end(answer.body)
    })
  }
  const server = tls ? https.createServer({ ...tls }, listener) : http.createServer(listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      if (server.listening) return resolve()
      server.once('error', reject)
      // SECURITY: listens only on the loopback interface, because the demo's passwords are public.
      server.listen(port, HOST, () => {
        server.off('error', reject)
        resolve()
      })
    })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })

  await listen(wanted)
  const { port } = server.address() as AddressInfo
  return {
    address: `${tls ? 'https' : 'http'}://${HOST}:${port}`,
    port,
    requests,
    inject: (operation, fault, options) => faults.inject(operation, fault, options),
    clearFaults: () => faults.clear(),
    pause: close,
    resume: () => listen(port),
    stop: close,
  }
}

const NOT_RUN: Answer = { status: 503, headers: {}, body: '' }

function deliver(wire: Wire, entry: Mutable<LoggedRequest>, plain: Answer, effect: Effect): void {
  const answer = effect.answer?.(plain) ?? plain
  const { response } = wire
  response.sendDate = false
  response.once('finish', () => !effect.spoils && plain.delivered?.())
  if (effect.send) effect.send(wire, answer)
  else setHead(response, answer).end(answer.body)
  if (response.headersSent) entry.status = response.statusCode
}

const dated = (answer: Answer, now: number): Answer => ({
  ...answer,
  headers: { ...answer.headers, Date: new Date(now).toUTCString() },
})

/**
 * Returns `undefined` if the body is too large. The body is read to the end all the same, so that the client can read
 * the answer.
 */
async function readBody(request: http.IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  }
  return size <= LARGEST_BODY ? Buffer.concat(chunks) : undefined
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

const FIELDS: readonly (readonly [string, CredentialKind])[] = [
  ['refreshToken', 'refreshToken'],
  ['refresh_token', 'refreshToken'],
  ['password', 'password'],
  ['client_secret', 'clientSecret'],
]

function credentialsOf(authorization: string | undefined, json: unknown): CredentialKind[] {
  const kinds: CredentialKind[] = []
  const scheme = authorization?.split(' ')[0]?.toLowerCase()
  if (scheme !== undefined) kinds.push(scheme === 'basic' || scheme === 'bearer' ? scheme : 'otherScheme')
  if (typeof json === 'object' && json !== null) {
    for (const [field, kind] of FIELDS) if (field in json) kinds.push(kind)
  }
  return kinds
}
