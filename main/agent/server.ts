import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Clients } from './clients.ts'
import type { Limits } from './limits.ts'
import { type ErrorCode, errorReply, rawReply } from './replies.ts'
import { RequestHandler, type RequestHandlerPorts } from './request-handler.ts'
import { type Throttle, ThrottledSocket } from './throttle.ts'

type ServerPorts = Omit<RequestHandlerPorts, 'clients' | 'limits'> & {
  readonly limits: Limits
  /** Absent if there is no limit. */
  readonly throttle?: Throttle | undefined
}

/** How long tools have to read their last reply when the server closes. */
const LAST_ANSWER_TIMEOUT_MS = 500

/** The server doesn't listen yet. `close` resolves when the last connection is closed. */
export function createAgentServer(ports: ServerPorts) {
  const { limits } = ports
  const options = {
    maxHeaderSize: limits.head,
    headersTimeout: limits.arrival,
    // There is no limit here, because an MCP client sends one endless body. `readBody` limits the time of other bodies.
    requestTimeout: 0,
    // A shorter interval would wake an idle computer more often.
    connectionsCheckingInterval: 3 * limits.arrival,
    keepAliveTimeout: limits.idle,
    // Two Host headers are joined to an invalid one, which `readHead` refuses.
    joinDuplicateHeaders: true,
    // `readHead` checks the host.
    requireHostHeader: false,
  }
  const clients = new Clients(limits)
  const handler = new RequestHandler({ ...ports, clients })
  const refuse = (socket: Duplex, code: ErrorCode = 'malformed_request') =>
    clients.refuse(socket, rawReply(errorReply(code, 'json', { close: true })))
  const server = createServer(options, handler.handle)
  // SECURITY: Node lists 1,000 headers by default. After them, a second Host, Origin or a length would go unseen.
  server.maxHeadersCount = 0
  server.on('checkExpectation', handler.handle)
  server.on('connect', (_, socket) => {
    // SECURITY: Node leaves this socket's errors to us. Without a listener, a tool that hangs up would end the app.
    socket.on('error', () => {})
    refuse(socket, 'method_not_allowed')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, CODES[error.code ?? '']))
  // Closes a connection whose tool doesn't read its replies.
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
      // By the next turn of the event loop, all waiting requests have their replies.
      setImmediate(() => clients.closeAll())
    })
  return { server, close }
}

/** Throttles each new connection. Node's server also accepts a Duplex in place of a socket. */
function throttleConnections(server: Server, throttle: Throttle): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (raw) => {
    const throttled = new ThrottledSocket(raw, throttle)
    for (const listener of listeners) listener.call(server, throttled)
  })
}

/** The error for each of Node's codes about a request that can't be read. */
const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
}
