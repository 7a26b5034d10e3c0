import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Clients } from './clients.ts'
import type { Limits } from './limits.ts'
import { type ErrorCode, errorReply, rawReply } from './replies.ts'
import { RequestHandler, type RequestHandlerPorts } from './request-handler.ts'
import { type Throttle, ThrottledSocket } from './throttle.ts'

type ServerPorts = Omit<RequestHandlerPorts, 'clients' | 'limits'> & {
  readonly limits: Limits
  /** Limits how fast requests are read; absent if there is no limit. */
  readonly throttle?: Throttle | undefined
}

/** When the server closes, tools have this time to read their last answer. */
const LAST_ANSWER_TIMEOUT_MS = 500

interface AgentServer {
  readonly server: Server
  /** Resolves when the server no longer listens and its last connection is closed. */
  close(): Promise<void>
}

/** Creates the HTTP/1.1 server with its limits, not yet listening. */
export function createAgentServer(ports: ServerPorts): AgentServer {
  const { limits } = ports
  const options = {
    maxHeaderSize: limits.head,
    headersTimeout: limits.arrival,
    // The messages of an MCP client arrive for as long as it runs. `readBody` limits the time of every other body.
    requestTimeout: 0,
    // This timer runs as long as the agent listens. A shorter interval would wake an idle computer more often.
    connectionsCheckingInterval: 3 * limits.arrival,
    keepAliveTimeout: limits.idle,
    // Node joins duplicate headers into one value. Two Host headers become an invalid one, so the request is refused.
    joinDuplicateHeaders: true,
    // The host is checked later, with the rest of the head.
    requireHostHeader: false,
  }
  const clients = new Clients(limits)
  const requests = new RequestHandler({ ...ports, clients })
  const refuse = (socket: Duplex, code: ErrorCode = 'malformed_request') =>
    clients.refuse(socket, rawReply(errorReply(code, 'json', { close: true })))
  const server = createServer(options, (request, response) => requests.handle(request, response))
  server.on('checkExpectation', (request, response) => requests.handle(request, response))
  server.on('connect', (_, socket) => {
    // SECURITY: Node doesn't handle the errors of a socket that it passes to a `connect` listener. Without this `error`
    // listener, the error of a tool that hangs up would appear in the app's log.
    socket.on('error', () => {})
    refuse(socket, 'method_not_allowed')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, CODES[error.code ?? '']))
  // Closes a connection on which no data moves, for example because the tool doesn't read its answers.
  server.setTimeout(limits.idle)
  clients.watch(server)
  if (ports.throttle !== undefined) throttleConnections(server, ports.throttle)
  const close = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWER_TIMEOUT_MS)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      // Deferred to the next turn of the event loop, when all waiting requests have been answered.
      setImmediate(() => clients.closeAll())
    })
  return { server, close }
}

/** Passes each connection to the server's listeners as a throttled one. Node's server accepts any Duplex as a connection. */
function throttleConnections(server: Server, throttle: Throttle): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (raw) => {
    const throttled = new ThrottledSocket(raw, throttle)
    for (const listener of listeners) listener.call(server, throttled)
  })
}

/** The reply to each of Node's error codes for a request that can't be read. */
const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
}
