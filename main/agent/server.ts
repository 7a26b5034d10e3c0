import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Arrivals } from './arrivals.ts'
import { Clients } from './clients.ts'
import type { Limits } from './limits.ts'
import { type ErrorCode, errorReply, rawReply } from './reply.ts'
import { type RequestPorts, Requests } from './requests.ts'

type ServerPorts = Omit<RequestPorts, 'clients' | 'limits'> & { readonly limits: Limits }

/** The endpoint over HTTP/1.1 with its bounds, not yet listening. */
export function createAgentServer(ports: ServerPorts): Server {
  const { limits } = ports
  const options = {
    maxHeaderSize: limits.request,
    // Node would look at its connections for as long as it listens: `arrivals` does while there are any.
    connectionsCheckingInterval: NEVER,
    keepAliveTimeout: limits.idle,
    // Where there are two, neither counts.
    joinDuplicateHeaders: true,
    // It is looked at with the rest of the head, and answered like the rest.
    requireHostHeader: false,
  }
  const clients = new Clients(limits)
  const requests = new Requests({ ...ports, clients })
  const refuse = (socket: Duplex, code: ErrorCode = 'malformed_request') =>
    clients.refuse(socket, rawReply(errorReply(code, 'json', { close: true })))
  const arrivals = new Arrivals({
    arrival: limits.arrival,
    isStreaming: (socket) => clients.isStreaming(socket),
    cutOff: (socket) => refuse(socket, 'request_timeout'),
  })
  const server = createServer(options, (request, response) => requests.handle(request, response))
  server.on('checkExpectation', (request, response) => requests.handle(request, response))
  server.on('connect', (_, socket) => refuse(socket, 'method_not_allowed'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, CODES[error.code ?? '']))
  // A tool that doesn't read its answers is let go.
  server.setTimeout(limits.idle)
  clients.watch(server)
  arrivals.watch(server)
  return server
}

/** The longest that a timer can wait: milliseconds. */
const NEVER = 2 ** 31 - 1

/** What the parser finds wrong, by Node's error codes. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
}
