import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Answer, type Call, Refusal, type Refuse } from './answer.ts'
import { effectOf, setHead, type WireFault } from './faults.ts'

const HOST = '127.0.0.1'

/** A request in the log: without the values of its headers, query and body. */
interface LoggedRequest<Operation extends string> {
  /** Absent if no route has this path and method. */
  readonly operation?: Operation
  readonly path: string
  /** The scheme of the Authorization header, in lower case. */
  readonly scheme: string | undefined
  /** Absent until there is an answer, and always after a reset or a hang. */
  status?: number
}

export interface Route<Operation extends string> {
  readonly operation: Operation
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Called with the body of every request, even if a fault follows. */
  readonly received?: (json: unknown) => void
  readonly run: (call: Call) => Answer | Promise<Answer>
}

export interface ServerOptions {
  /** In milliseconds since the epoch; by default `Date.now`. */
  readonly now?: () => number
  /** In PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

export interface ControlledServer<Operation extends string> {
  readonly address: string
  readonly port: number
  readonly requests: readonly LoggedRequest<Operation>[]
  /** The next `times` requests (default 1) of the operation get this fault. Returns a function that removes it. */
  inject(operation: Operation, fault: WireFault, options?: { times?: number }): () => void
  clearFaults(): void
  /** Refuses connections and drops the open ones. Issued tokens stay valid. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

export async function startServer<Operation extends string>(
  routes: readonly Route<Operation>[],
  refuse: Refuse,
  { now = Date.now, tls }: ServerOptions,
): Promise<ControlledServer<Operation>> {
  const requests: LoggedRequest<Operation>[] = []
  let faults: { readonly operation: Operation; readonly fault: WireFault; left: number }[] = []
  const sockets = new Set<Socket>()

  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await buffer(request)
    const json = readJson(body)
    const { method, url = '', headers } = request
    const path = url.replace(/\?.*/s, '')
    const route = routes.find((each) => each.path === path && each.method === method)
    const scheme = headers.authorization?.split(' ')[0]?.toLowerCase()
    const entry: LoggedRequest<Operation> = { ...(route && { operation: route.operation }), path, scheme }
    requests.push(entry)
    route?.received?.(json)
    const fault = faults.find(({ operation, left }) => operation === route?.operation && left > 0)
    if (fault) fault.left -= 1
    const effect = effectOf(fault?.fault)

    const query = url.slice(path.length + 1)
    const plain = effect.work === 'done' ? await answerTo(route, { headers, body, query, json }) : NOT_RUN
    const dated = { ...plain, headers: { ...plain.headers, Date: new Date(now()).toUTCString() } }
    const answer = effect.answer?.(dated) ?? dated
    response.sendDate = false
    response.once('finish', () => !effect.spoils && answer.delivered?.())
    // A reset needs the TCP socket. A TLS request doesn't expose it, so it is found by the client's port.
    const isItsSocket = (each: Socket) => each.remotePort === request.socket.remotePort
    if (effect.send) effect.send({ response, reset: () => [...sockets].find(isItsSocket)?.resetAndDestroy() }, answer)
    else setHead(response, answer).end(answer.body)
    if (response.headersSent) entry.status = response.statusCode
  }

  async function answerTo(route: Route<Operation> | undefined, call: Call): Promise<Answer> {
    try {
      return (await route?.run(call)) ?? refuse(404, 'not_found', 'There is nothing at this path.')
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  const listener: http.RequestListener = (request, response) => {
    serve(request, response).catch((error) => {
      // The client has hung up.
      if (request.socket.destroyed) return
      console.error(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
  const server = tls ? https.createServer({ ...tls }, listener) : http.createServer(listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = async (port: number) => {
    if (server.listening) return
    // SECURITY: listens only on the loopback interface, because the demo's passwords are public.
    await once(server.listen(port, HOST), 'listening')
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    address: `${tls ? 'https' : 'http'}://${HOST}:${port}`,
    port,
    requests,
    inject(operation, fault, { times = 1 } = {}) {
      const entry = { operation, fault, left: times }
      faults.push(entry)
      return () => {
        entry.left = 0
      }
    },
    clearFaults() {
      faults = []
    },
    pause: close,
    resume: () => listen(port),
    stop: close,
  }
}

const NOT_RUN: Answer = { status: 503, headers: {}, body: '' }

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
