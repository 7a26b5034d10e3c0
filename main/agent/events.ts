import type { ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { Subscription } from '../base/listeners.ts'
import type { AccessToken } from '../base/secret.ts'
import { type ErrorCode, NO_STORE, type TokenReplies } from './replies.ts'
import { tokenResultOf } from './token-broker.ts'
import type { TokenSource } from './token-source.ts'
import type { ToolId } from './tools.ts'

/** Heartbeats show tools and proxies that the connection is alive. */
export const HEARTBEAT_MS = 15_000
const RECONNECT_AFTER_MS = 2_000

interface EventsPorts {
  readonly source: TokenSource
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly replies: TokenReplies
  readonly onHandOut: (tool: ToolId) => void
  /** Returns a function to call when the tool stops listening. */
  readonly onListen: (tool: ToolId) => () => void
  readonly longestBacklog: number
}

/** Server-sent events (HTML Living Standard section 9.2): the current token first, then each new one. */
export class Events {
  readonly #ports: EventsPorts
  readonly #listeners = new Map<ServerResponse, { readonly tool: ToolId; readonly left: () => void }>()
  #told: AccessToken | 'signedOut' | undefined
  readonly #watching = new Subscription()
  readonly #heartbeat = new Subscription()
  /** Listeners that haven't read the last heartbeat yet. */
  readonly #unheard = new WeakSet<ServerResponse>()

  constructor(ports: EventsPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#watching.begin(() => this.#ports.source.subscribe(() => this.#update()))
  }

  stop(): void {
    this.#watching.end()
    this.#heartbeat.end()
    for (const response of this.#listeners.keys()) {
      response.destroy()
      this.remove(response)
    }
  }

  /** `remove` must be called when the tool hangs up. */
  add(response: ServerResponse, tool: ToolId): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', [NO_STORE[0]]: NO_STORE[1] })
    this.#listeners.set(response, { tool, left: this.#ports.onListen(tool) })
    this.#beatLater()
    const event = this.#event()
    this.#tell(response, `retry: ${RECONNECT_AFTER_MS}\n\n${event?.text ?? ''}`)
    if (event?.isToken) this.#ports.onHandOut(tool)
  }

  remove(response: ServerResponse): void {
    this.#listeners.get(response)?.left()
    this.#listeners.delete(response)
    if (this.#listeners.size === 0) this.#heartbeat.end()
  }

  #update(): void {
    const event = this.#event()
    if (event === undefined || event.told === this.#told) return
    this.#told = event.told
    for (const [response, { tool }] of this.#listeners) {
      this.#tell(response, event.text)
      if (event.isToken) this.#ports.onHandOut(tool)
    }
  }

  #event() {
    const { source, clock, replies } = this.#ports
    const answer = tokenResultOf({ kind: 'valid', minValidity: 0, isStrict: false }, source.tokenState, clock.now())
    const isSignedOut = answer.kind === 'signedOut'
    if (answer.kind === 'unavailable' || answer.kind === 'tooShort') return undefined
    const { body } = replies.of(answer, 'json')
    return {
      told: isSignedOut ? ('signedOut' as const) : answer.token.accessToken,
      isToken: !isSignedOut,
      text: `event: ${isSignedOut ? ('signed_out' satisfies ErrorCode) : 'token'}\ndata: ${body}\n\n`,
    }
  }

  #tell(response: ServerResponse, text: string): void {
    // A tool that doesn't read is disconnected, so that its events can't fill the memory. The check comes first,
    // because on a pipe, Node counts all text as unsent until the next turn of the event loop.
    if (response.writableLength > this.#ports.longestBacklog) response.destroy()
    else response.write(text)
  }

  #beatLater(): void {
    const { clock } = this.#ports
    this.#heartbeat.begin(() => clock.at(clock.now() + HEARTBEAT_MS, () => this.#beat()))
  }

  #beat(): void {
    this.#heartbeat.end()
    for (const response of this.#listeners.keys()) {
      // A suspended tool would otherwise stay connected for days.
      if (this.#unheard.has(response)) response.destroy()
      this.#unheard.add(response)
      response.write(':\n\n', () => this.#unheard.delete(response))
    }
    this.#beatLater()
  }
}
