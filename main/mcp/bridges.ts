import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BridgeClient, McpBridges, McpRefusal } from '../agent/mcp-requests.ts'
import { TokenReplies } from '../agent/replies.ts'
import { TOKEN_TO_SEND, TokenBroker } from '../agent/token-broker.ts'
import { type AskResult, type TokenResult, type TokenSource, watchAccount } from '../agent/token-source.ts'
import type { Clock } from '../base/clock.ts'
import type { AccessToken } from '../base/secret.ts'
import { unlessAborted } from '../base/waits.ts'
import type { StreamingClient } from '../service/http-client.ts'
import { Bridge } from './bridge.ts'
import { createFetch, McpError } from './fetch.ts'
import { LONGEST_MESSAGE } from './lines.ts'
import { type McpAddresses, serverOf } from './server-address.ts'

interface BridgesPorts {
  readonly http: StreamingClient
  readonly clock: Clock
  readonly isAllowed: () => boolean
  /** Where this connection's token may go; `undefined` if the connection has no address. */
  readonly addresses: (connection: string) => McpAddresses | undefined
  readonly source: (connection: string) => TokenSource
}

type Ask = (broker: TokenBroker, reply: (answer: TokenResult) => void) => () => void

interface Tokens {
  readonly broker: TokenBroker
  readonly replies: TokenReplies
  readonly stop: () => void
}

interface OpenBridge {
  readonly connection: string
  readonly server: URL
  readonly bridge: Bridge
  output?: ServerResponse
  input?: IncomingMessage
  finished?: () => void
  readonly cancelTimer: () => void
  readonly onEnd: () => void
}

const MOST_BRIDGES = 64
/** How long a client may take to attach both of its streams after `open`. */
const ATTACH_TIMEOUT_MS = 10_000
/** If more bytes than this wait for a client to read them, the client's bridge is ended. */
const MOST_UNREAD = 2 * LONGEST_MESSAGE
const FORBIDDEN = 'Turned off by your administrator: AI clients get no data through Latchkey.'
const UNREAD: McpRefusal = { error: 'unavailable', message: "The AI client didn't read the server's messages." }

export class Bridges implements McpBridges {
  readonly #ports: BridgesPorts
  readonly #open = new Map<string, OpenBridge>()
  /** Bridges that are closing. They still need a token to end their sessions at the servers. */
  readonly #ending = new Set<OpenBridge>()
  /** Why bridges have ended. Bridges that their own clients have ended are left out. */
  readonly #ended = new Map<string, McpRefusal>()
  readonly #tokens = new Map<string, Tokens>()

  constructor(ports: BridgesPorts) {
    this.#ports = ports
  }

  /** Returns the bridge's id, or a sentence that says why there is none. The client must soon attach its streams. */
  open(connection: string, asked: string | undefined, client: BridgeClient): ReturnType<McpBridges['open']> {
    const { clock } = this.#ports
    const server = this.#serverOf(connection, asked)
    if ('error' in server) return server
    if (this.#open.size >= MOST_BRIDGES) {
      return { error: 'too_many_connections', message: 'Too many MCP bridges are open. Close an AI client.' }
    }
    const id = randomBytes(16).toString('hex')
    // The request that ends the session at the server isn't reported: the client didn't make it.
    const onAsked = (result: AskResult) => this.#open.has(id) && client.onAsked(bridge.clientName, result)
    const bridge: Bridge = new Bridge({
      clock,
      host: server.url.host,
      connect: (onStream) => this.#connect(connection, server.url, onAsked, onStream),
      write: (line) => this.#write(id, line),
    })
    const cancelTimer = clock.at(clock.now() + ATTACH_TIMEOUT_MS, () => {
      const { input, output } = this.#open.get(id) ?? {}
      if (input === undefined || output === undefined) this.#end(id)
    })
    this.#open.set(id, { connection, server: server.url, bridge, cancelTimer, onEnd: client.onEnd })
    return { id }
  }

  /** Returns false if there is no such bridge. */
  receive(id: string, response: ServerResponse): boolean {
    const open = this.#open.get(id)
    if (open === undefined || open.output !== undefined) return false
    open.output = response
    this.#begin(id, open)
    response.once('close', () => this.#end(id))
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    response.flushHeaders()
    return true
  }

  /** Reads the client's messages. When they end, so does the bridge. Returns false if there is no such bridge. */
  send(id: string, request: IncomingMessage, response: ServerResponse): boolean {
    const open = this.#open.get(id)
    if (open === undefined || open.input !== undefined) return false
    open.input = request
    open.finished = () => {
      if (!response.destroyed) response.writeHead(204, { Connection: 'close' }).end()
    }
    this.#begin(id, open)
    response.once('close', () => this.#end(id))
    return true
  }

  #begin(id: string, { input, output, bridge, finished }: OpenBridge): void {
    if (input === undefined || output === undefined) return
    void bridge.read(input).then(() => {
      finished?.()
      return this.#end(id)
    })
  }

  apply(): void {
    for (const [id, { connection, server }] of this.#open) {
      const allowed = this.#serverOf(connection, server.href)
      if ('error' in allowed) void this.#end(id, allowed)
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#end(id)))
  }

  whyEnded(id: string): McpRefusal | undefined {
    return this.#ended.get(id)
  }

  #serverOf(connection: string, asked: string | undefined): { readonly url: URL } | McpRefusal {
    const addresses = this.#ports.addresses(connection)
    if (!this.#ports.isAllowed()) return { error: 'turned_off', message: FORBIDDEN }
    const server = addresses && serverOf(asked, addresses)
    if (server !== undefined && 'url' in server) return server
    const message = server?.refused ?? 'This connection has no address yet. Set it up in Latchkey.'
    return { error: 'invalid_parameter', message }
  }

  #write(id: string, line: string): void {
    const output = this.#open.get(id)?.output
    // SECURITY: a client that doesn't read must not fill the memory.
    if (output === undefined || output.writableLength > MOST_UNREAD) {
      void this.#end(id, UNREAD)
      output?.destroy()
    } else output.write(`${line}\n`)
  }

  async #end(id: string, why?: McpRefusal): Promise<void> {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    if (why !== undefined) this.#ended.set(id, why)
    const [oldest = ''] = this.#ended.keys()
    if (this.#ended.size > MOST_BRIDGES) this.#ended.delete(oldest)
    open.cancelTimer()
    open.onEnd()
    open.output?.end()
    this.#ending.add(open)
    await open.bridge.end()
    this.#ending.delete(open)
    const others = [...this.#open.values(), ...this.#ending]
    if (others.some(({ connection }) => connection === open.connection)) return
    this.#tokens.get(open.connection)?.stop()
    this.#tokens.delete(open.connection)
  }

  async #connect(
    connection: string,
    server: URL,
    onAsked: (result: AskResult) => void,
    onStream: (key: string) => void,
  ) {
    // The SDK is loaded only when the first bridge connects.
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const token = (signal: AbortSignal, ask: Ask) => this.#token(connection, onAsked, signal, ask)
    const fetch = createFetch({
      http: this.#ports.http,
      clock: this.#ports.clock,
      token: (signal) => token(signal, (broker, reply) => broker.ask(TOKEN_TO_SEND, reply)),
      renewed: (rejected, signal) => token(signal, (broker, reply) => broker.rejected(rejected, reply)),
      check: (url) => {
        const allowed = this.#serverOf(connection, url.href)
        if ('error' in allowed) throw new McpError(allowed.message)
      },
      onStream,
    })
    return new StreamableHTTPClientTransport(server, { fetch, reconnectionOptions: RECONNECTION })
  }

  #token(
    connection: string,
    onAsked: (result: AskResult) => void,
    signal: AbortSignal,
    ask: Ask,
  ): Promise<AccessToken> {
    const { broker, replies } = this.#tokensOf(connection)
    return unlessAborted(signal, (resolve, reject) =>
      ask(broker, (answer) => {
        if (answer.kind === 'signedOut' || answer.kind === 'token') onAsked(answer.kind)
        if (answer.kind === 'token') resolve(answer.token.accessToken)
        else reject(new McpError(replies.of(answer, 'text').body))
      }),
    )
  }

  #tokensOf(connection: string): Tokens {
    const known = this.#tokens.get(connection)
    if (known !== undefined) return known
    const { clock, source: sourceOf } = this.#ports
    const source = sourceOf(connection)
    const broker = new TokenBroker({ source, clock })
    const replies = new TokenReplies({ clock, origin: () => undefined })
    // SECURITY: this must come before the broker starts, so that all sessions end before the next person's token
    // arrives. No request of the last person is sent with it.
    const stopWatching = watchAccount(source, (last) => {
      if (last === undefined) return
      const sentence = replies.of({ kind: 'signedOut' }, 'text').body
      for (const open of [...this.#open.values(), ...this.#ending])
        if (open.connection === connection) open.bridge.interrupt(sentence)
    })
    broker.start()
    const stop = () => {
      stopWatching()
      broker.stop()
    }
    const tokens = { broker, replies, stop }
    this.#tokens.set(connection, tokens)
    return tokens
  }
}

/** Without a network, the attempts to reconnect last for about 45 minutes. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 100,
}
