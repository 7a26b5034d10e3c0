import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { GatewayMethods } from '../../contract/setting-rows.ts'
import { Clients } from '../agent/clients.ts'
import { rawReply } from '../agent/replies.ts'
import { TokenBroker } from '../agent/token-broker.ts'
import { type AskResult, type TokenSource, watchAccount } from '../agent/token-source.ts'
import type { Clock } from '../base/clock.ts'
import { Subscription } from '../base/listeners.ts'
import { keepNewest } from '../base/newest-connections.ts'
import { createInTurn } from '../base/waits.ts'
import type { KeepAliveAgents } from '../network/keep-alive-agents.ts'
import { ForwardedRequest, LARGEST_HEAD, refuse } from './forwarded-request.ts'
import { checkHead } from './head.ts'
import { Passwords } from './passwords.ts'
import { ownerOf } from './port-owner.ts'
import { type Refusal, responseOf } from './refusals.ts'

const HOST = '127.0.0.1'
/** Chromium lets the app open 8,192 files, even if the system's default is lower (`base::IncreaseFdLimitTo`). */
const MOST_CONNECTIONS = 256
/** How many connections of a gateway may be open without having sent the password. */
const MOST_UNAUTHENTICATED = 128
/** How many connections beyond `MOST_CONNECTIONS` are told that there is no room. */
const MOST_REFUSALS = 16
const MOST_PIPELINED = 16
const HEAD_TIMEOUT_MS = 10_000
const IDLE_MS = 60_000

export type GatewayState =
  | { readonly kind: 'off' }
  | { readonly kind: 'listening'; readonly port: number }
  /** `by` is the program or the user that listens at the port, if the system tells. */
  | { readonly kind: 'portTaken'; readonly port: number; readonly by?: string }
  | { readonly kind: 'failed'; readonly port: number; readonly cause: string }

export interface GatewayConfig {
  readonly dataAddress: string
  readonly port: number
  readonly methods: GatewayMethods
}

interface GatewayPorts {
  readonly source: TokenSource
  readonly clock: Clock
  /** Calls the listener at least every 30 s. */
  readonly onCheck: (listener: () => void) => () => void
  readonly passwordHash: () => string | undefined
  readonly agents: (url: URL) => KeepAliveAgents
  readonly onChange: () => void
  /** Called when a request with this `User-Agent` gets a token, or gets none because nobody is signed in. */
  readonly onAsked: (userAgent: string | undefined, result: AskResult) => void
  /** Plain HTTP by default. For TLS, it would be `createServer` of `node:https`. */
  readonly listener?: (options: ServerOptions, listener: RequestListener) => Server
}

interface Running {
  readonly config: GatewayConfig
  readonly endAll: (refusal: Refusal) => void
  readonly close: () => void
}

export class Gateway {
  readonly #ports: GatewayPorts
  readonly #next = createInTurn()
  #state: GatewayState = { kind: 'off' }
  #running: Running | undefined
  readonly #retrying = new Subscription()

  constructor(ports: GatewayPorts) {
    this.#ports = ports
  }

  get state(): GatewayState {
    return this.#state
  }

  /** Without a configuration, ends all requests and closes the port at once. */
  apply(config: GatewayConfig | undefined): Promise<void> {
    const running = this.#running
    const isSame = config !== undefined && running !== undefined && isSameConfig(running.config, config)
    if (!isSame) this.#close()
    if (config === undefined) this.#set({ kind: 'off' })
    return this.#next(async () => {
      this.#retrying.end()
      if (isSame && this.#running === running) return
      this.#close()
      // An earlier call may have opened the port during the wait, so the state is set again.
      if (config === undefined) return this.#set({ kind: 'off' })
      await this.#open(config)
      if (this.#state.kind !== 'portTaken' && this.#state.kind !== 'failed') return
      this.#retrying.begin(() => this.#ports.onCheck(() => void this.apply(config)))
    })
  }

  /** To be called after each change of the password. Ends the requests that began with the earlier one. */
  lockOut(): void {
    this.#running?.endAll('wrongPassword')
  }

  #close(): void {
    this.#running?.close()
    this.#running = undefined
  }

  async #open(config: GatewayConfig): Promise<void> {
    const { port } = config
    const { server, ...ends } = createGatewayServer(config, this.#ports)
    const error = await listen(server, port)
    if (error === undefined) {
      this.#running = { config, ...ends }
      return this.#set({ kind: 'listening', port })
    }
    ends.close()
    if (error !== 'EADDRINUSE') return this.#set({ kind: 'failed', port, cause: error })
    const by = await ownerOf(port)
    this.#set({ kind: 'portTaken', port, ...(by !== undefined && { by }) })
  }

  #set(state: GatewayState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    this.#ports.onChange()
  }
}

const isSameConfig = (one: GatewayConfig, other: GatewayConfig): boolean =>
  one.dataAddress === other.dataAddress && one.port === other.port && one.methods === other.methods

/** Resolves to the error's code, or to `undefined`. SECURITY: only programs of this computer can connect. */
function listen(server: Server, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Later errors, such as too many open files, are ignored: Node tries again by itself.
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    server.listen({ host: HOST, port, exclusive: true }, () => resolve(undefined))
  })
}

const SERVER_OPTIONS = {
  maxHeaderSize: LARGEST_HEAD,
  headersTimeout: HEAD_TIMEOUT_MS,
  // There is no timeout for a whole request, because an upload may take hours.
  requestTimeout: 0,
  connectionsCheckingInterval: 3 * HEAD_TIMEOUT_MS,
  keepAliveTimeout: IDLE_MS,
  // `checkHead` checks the host.
  requireHostHeader: false,
  // SECURITY: a request that could be read in two ways is refused.
  insecureHTTPParser: false,
}

function createGatewayServer({ dataAddress, port, methods }: GatewayConfig, ports: GatewayPorts) {
  const { source, clock, passwordHash, agents: createAgents, onAsked: onUse, listener = createServer } = ports
  const service = new URL(dataAddress)
  const agents = createAgents(service)
  const broker = new TokenBroker({ source, clock })
  const clients = new Clients({
    connections: MOST_CONNECTIONS,
    refusals: MOST_REFUSALS,
    waitingPerConnection: MOST_PIPELINED,
  })
  const passwords = new Passwords(passwordHash, clock)
  const basePath = service.pathname === '/' ? '' : service.pathname
  const requests = new Set<ForwardedRequest>()

  const handle = (request: IncomingMessage, response: ServerResponse, isExpecting = false) => {
    const dismiss = (refusal: Refusal, retryAfter?: number) => {
      clients.leave(request.socket)
      refuse(response, refusal, retryAfter)
    }
    if (clients.ignores(request.socket)) return
    if (clients.isOneTooMany(request.socket)) return dismiss('tooManyConnections', 1)
    const { method = '', url = '', rawHeaders } = request
    const checked = checkHead({ method, url, rawHeaders }, { port, basePath, methods, passwords })
    if ('refusal' in checked) return dismiss(checked.refusal, checked.retryAfter)
    unauthenticated.delete(request.socket)
    if (isExpecting) response.writeContinue()
    const onAsked = (result: AskResult) => onUse(request.headers['user-agent'], result)
    const forwarded = new ForwardedRequest(request, response, checked.target, {
      service,
      agents,
      broker,
      clock,
      onAsked,
    })
    // When the connection closes, Node emits `close` only for the first pending response, so the others are ended here.
    const end = () => {
      requests.delete(forwarded)
      forwarded.end('stopping')
    }
    requests.add(forwarded)
    response.once('close', () => {
      requests.delete(forwarded)
      clients.endWait(request.socket, end)
    })
    if (clients.wait(request.socket, end)) void forwarded.run()
    else request.socket.destroy()
  }
  const refuseRaw = (socket: Duplex, refusal: Refusal) =>
    clients.refuse(socket, rawReply(responseOf(refusal, undefined)))

  const server = listener(SERVER_OPTIONS, handle)
  // SECURITY: by default, Node lists 1,000 headers. Without a later Content-Length, a body would look like a request.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => handle(request, response, true))
  // SECURITY: otherwise Node would answer a request with an unknown `Expect` without a check of host and password.
  server.on('checkExpectation', handle)
  server.on('connect', (_, socket) => {
    socket.on('error', () => {})
    refuseRaw(socket, 'wrongPath')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseRaw(socket, RAW[error.code ?? ''] ?? 'malformed'),
  )
  clients.watch(server)
  // SECURITY: keeps only the newest connections without the password, so that another user can't keep tools out.
  const unauthenticated = keepNewest(server, MOST_UNAUTHENTICATED)
  const endAll = (refusal: Refusal) => {
    for (const forwarded of requests) forwarded.end(refusal)
  }
  // SECURITY: this must come before the broker starts, so that no request gets the next person's token.
  const stopWatching = watchAccount(source, (last) => last !== undefined && endAll('signedOut'))
  broker.start()
  const close = () => {
    stopWatching()
    endAll('stopping')
    broker.stop()
    agents.close()
    server.close()
    // The connections are closed later, so that the last answers are written first.
    setImmediate(() => clients.closeAll())
  }
  return { server, endAll, close }
}

const RAW: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
  HPE_HEADER_OVERFLOW: 'tooLongHead',
}
