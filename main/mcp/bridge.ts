import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, RequestId, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Clock } from '../base/clock.ts'
import { displayText } from '../base/display-text.ts'
import { createInTurn, withTimeout } from '../base/waits.ts'
import { KEY_HEADER, McpError } from './fetch.ts'
import { linesOf, MessageTooLong } from './lines.ts'
import {
  cancelledId,
  clientNameOf,
  errorLine,
  isStateless,
  messagesOf,
  requestId,
  responseId,
  versionOf,
} from './messages.ts'

interface BridgePorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly host: string
  /** `onStream` gets the key of each message that is answered with a stream. */
  readonly connect: (onStream: (key: string) => void) => Promise<StreamableHTTPClientTransport>
  readonly write: (line: string) => void
}

interface Pending {
  readonly id: RequestId
  readonly key: string
  readonly closing: AbortController
  readonly isStateless: boolean
  isStream: boolean
}

const MOST_PENDING = 256
const LONGEST_REASON = 300
const DELETE_TIMEOUT_MS = 2_000
/** How long the bridge waits for the last answers after its client, such as a script, has ended its output. */
const LAST_ANSWERS_TIMEOUT_MS = 1_000
const INITIALIZED: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/initialized' }

/**
 * Connects an MCP client, whose messages are lines, with a server that speaks Streamable HTTP. Every request gets one
 * response, perhaps an error. If the server forgets the session, or the user has signed in again, another is opened.
 */
export class Bridge {
  readonly #ports: BridgePorts
  readonly #pending = new Map<string, Pending>()
  #transport: Promise<StreamableHTTPClientTransport> | undefined
  #latest: StreamableHTTPClientTransport | undefined
  /** The `initialize` that the client sent. It is repeated at the start of each later session. */
  #initialize: (JSONRPCMessage & { readonly id: RequestId }) | undefined
  /** Delivers notifications one at a time, so that no message overtakes an earlier notification. */
  readonly #inTurn = createInTurn()
  readonly #sending = new Set<Promise<void>>()
  #whenIdle = (): void => {}
  readonly #ending = new AbortController()
  #clientName: string | undefined

  constructor(ports: BridgePorts) {
    this.#ports = ports
  }

  get clientName(): string | undefined {
    return this.#clientName
  }

  /** Resolves when all messages are answered, but at most a second after the client has ended its output. */
  async read(input: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const line of linesOf(input)) {
        if (this.#ending.signal.aborted) return
        if (line.trim() === '') continue
        for (const each of messagesOf(line)) {
          if ('error' in each) this.#ports.write(each.error)
          else this.#accept(each.message)
        }
      }
    } catch (error) {
      if (error instanceof MessageTooLong) this.#ports.write(errorLine(null, error.message))
    }
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve
      if (this.#pending.size === 0) resolve()
    })
    await withTimeout(this.#ports.clock, LAST_ANSWERS_TIMEOUT_MS, idle, undefined)
  }

  /** Answers all open requests with this sentence. The next message opens another session. */
  interrupt(sentence: string): void {
    this.#transport = undefined
    for (const pending of [...this.#pending.values()]) this.#fail(pending, sentence)
    void this.#latest?.close()
    this.#latest = undefined
  }

  async end(): Promise<void> {
    this.#ending.abort()
    const last = this.#latest
    for (const { closing } of this.#pending.values()) closing.abort()
    this.#pending.clear()
    const ended = last?.terminateSession().catch(() => {})
    if (ended !== undefined) await withTimeout(this.#ports.clock, DELETE_TIMEOUT_MS, ended, undefined)
    await last?.close()
  }

  #accept(message: JSONRPCMessage): void {
    this.#clientName = clientNameOf(message) ?? this.#clientName
    const id = requestId(message)
    if (id === undefined) {
      const cancelled = this.#pending.get(keyOf(cancelledId(message)))
      if (cancelled?.isStateless) {
        this.#pending.delete(keyOf(cancelled.id))
        cancelled.closing.abort()
        return
      }
      void this.#inTurn(() => this.#deliver(message)).catch(() => {})
      return
    }
    if (this.#pending.size >= MOST_PENDING || this.#pending.has(keyOf(id))) {
      this.#ports.write(errorLine(id, 'Too many requests are open, or one with this id.'))
      return
    }
    const key = randomUUID()
    const pending = { id, key, closing: new AbortController(), isStateless: isStateless(message), isStream: false }
    this.#pending.set(keyOf(id), pending)
    void this.#inTurn(async () => {})
      .then(() => this.#deliver(message, pending))
      .then(() => {
        if (!pending.isStream) this.#fail(pending, `${this.#ports.host} gave no response.`)
      })
      .catch((error) => this.#fail(pending, this.#reasonOf(error)))
  }

  async #deliver(message: JSONRPCMessage, pending?: Pending): Promise<void> {
    const isFirst = pending !== undefined && 'method' in message && message.method === 'initialize'
    if (isFirst) {
      this.#initialize = { ...message, id: pending.id }
      this.#transport = undefined
      void this.#latest?.close()
    }
    const used = this.#session(isFirst)
    const transport = await used
    try {
      await this.#send(transport, message, pending)
    } catch (error) {
      if (isFirst || this.#initialize === undefined || statusOf(error) !== 404 || !transport.sessionId) throw error
      // The server has forgotten the session (MCP: Session Management).
      if (this.#transport === used) {
        this.#transport = undefined
        for (const each of this.#pending.values()) {
          if (each.isStream) this.#fail(each, `${this.#ports.host} has ended its session.`)
        }
        // Closing the old session now would cancel the other messages being sent, which couldn't be sent again.
        void Promise.allSettled(this.#sending).then(() => transport.close())
      }
      await this.#send(await this.#session(), message, pending)
    }
  }

  async #send(transport: StreamableHTTPClientTransport, message: JSONRPCMessage, pending?: Pending): Promise<void> {
    const sent = transport.send(
      message,
      pending && {
        requestSignal: pending.closing.signal,
        headers: { [KEY_HEADER]: pending.key },
        onRequestStreamEnd: () => this.#fail(pending, `${this.#ports.host} gave no response.`),
      },
    )
    this.#sending.add(sent)
    try {
      await sent
    } finally {
      this.#sending.delete(sent)
    }
  }

  #session(isFirst = false): Promise<StreamableHTTPClientTransport> {
    if (this.#ending.signal.aborted) return Promise.reject(new McpError('Latchkey has closed the bridge.'))
    const opened = this.#transport ?? this.#open(isFirst ? undefined : this.#initialize)
    this.#transport = opened
    opened.catch(() => {
      if (this.#transport === opened) this.#transport = undefined
    })
    return opened
  }

  async #open(initialize: JSONRPCMessage | undefined): Promise<StreamableHTTPClientTransport> {
    const transport = await this.#ports.connect((key) => {
      for (const pending of this.#pending.values()) if (pending.key === key) pending.isStream = true
    })
    if (this.#ending.signal.aborted) throw new McpError('Latchkey has closed the bridge.')
    this.#latest = transport
    // Errors are ignored here, because the client learns the reason from the request that fails.
    transport.onerror = () => {}
    transport.onmessage = (message) => this.#received(transport, message)
    await transport.start()
    if (initialize !== undefined) await this.#repeat(transport, initialize)
    return transport
  }

  async #repeat(transport: StreamableHTTPClientTransport, initialize: JSONRPCMessage): Promise<void> {
    const own = `latchkey-${randomUUID()}`
    const response = await new Promise<JSONRPCMessage>((resolve, reject) => {
      transport.onmessage = (message) => (responseId(message) === own ? resolve(message) : undefined)
      const onRequestStreamEnd = () => reject(new McpError(`${this.#ports.host} gave no response.`))
      transport.send({ ...initialize, id: own } as JSONRPCMessage, { onRequestStreamEnd }).catch(reject)
    })
    const version = versionOf(response)
    if (version === undefined) throw new McpError(`${this.#ports.host} refused a new session.`)
    transport.setProtocolVersion(version)
    transport.onmessage = (message) => this.#received(transport, message)
    await transport.send(INITIALIZED)
  }

  #received(transport: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
    if ('method' in message) {
      this.#ports.write(JSON.stringify(message))
      return
    }
    const id = responseId(message)
    // The server may answer twice, after the client has cancelled, or unasked.
    if (id === undefined || !this.#pending.has(keyOf(id))) return
    const version = id === this.#initialize?.id ? versionOf(message) : undefined
    if (version !== undefined) transport.setProtocolVersion(version)
    this.#answered(id, JSON.stringify(message))
  }

  #answered(id: RequestId, line: string): void {
    this.#pending.delete(keyOf(id))
    this.#ports.write(line)
    if (this.#pending.size === 0) this.#whenIdle()
  }

  #fail(pending: Pending, sentence: string): void {
    if (this.#pending.get(keyOf(pending.id)) !== pending) return
    pending.closing.abort()
    this.#answered(pending.id, errorLine(pending.id, sentence))
  }

  #reasonOf(error: unknown): string {
    if (error instanceof McpError) return error.message
    const { host } = this.#ports
    const status = statusOf(error)
    if (error instanceof Error && 'issues' in error) return `${host} gave an answer that isn't MCP.`
    if (status === 401) return `${host} refused a new access token, too. Ask your administrator for access.`
    const reason = displayText(error instanceof Error ? error.message : '', LONGEST_REASON)
    return status === undefined ? `${host}: ${reason}` : `${host} answered with ${status}. ${reason}`
  }
}

/** JSON-RPC distinguishes the number 1 from the text "1". */
const keyOf = (id: RequestId | undefined): string => JSON.stringify(id) ?? ''

function statusOf(error: unknown): number | undefined {
  const { status } = error instanceof Error ? (error as { status?: unknown }) : {}
  return typeof status === 'number' ? status : undefined
}
