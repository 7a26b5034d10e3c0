import type { ServerResponse } from 'node:http'
import type { Clock } from '../session/ports.ts'
import type { AccessToken } from '../session/secret.ts'
import { Ongoing } from './ongoing.ts'
import { type ErrorCode, NO_STORE } from './reply.ts'
import { answerOf } from './serving.ts'
import type { TokenReplies } from './token-reply.ts'
import type { TokenSource } from './token-source.ts'

/** Says a tool that waits, and any proxy between, that the connection is alive, in milliseconds. */
export const HEARTBEAT = 15_000

/** How soon a tool that lost the connection asks again, in milliseconds. */
const RECONNECT_AFTER = 2_000

interface EventsPorts {
  readonly source: TokenSource
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly replies: TokenReplies
  /** A tool with this `User-Agent` was handed a token. */
  readonly onHandOut: (userAgent: string | undefined) => void
  /** What a tool may leave unread: bytes. */
  readonly longestBacklog: number
}

/** Server-sent events (HTML Living Standard section 9.2): the token in hand at once, and each new one. */
export class Events {
  readonly #ports: EventsPorts
  /** Each with its `User-Agent`. */
  readonly #listeners = new Map<ServerResponse, string | undefined>()
  /** What everyone has been told. */
  #told: AccessToken | 'signedOut' | undefined
  readonly #watching = new Ongoing()
  readonly #heartbeat = new Ongoing()
  /** Those whose last heartbeat has not gone out yet. */
  readonly #unheard = new WeakSet<ServerResponse>()

  constructor(ports: EventsPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#watching.begin(() => this.#ports.source.subscribe(() => this.#look()))
  }

  stop(): void {
    this.#watching.end()
    this.#heartbeat.end()
    for (const response of this.#listeners.keys()) response.destroy()
    this.#listeners.clear()
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** Until `remove`: it is not seen here that the tool hangs up. */
  add(response: ServerResponse, userAgent: string | undefined): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', [NO_STORE[0]]: NO_STORE[1] })
    this.#listeners.set(response, userAgent)
    this.#beatLater()
    const event = this.#event()
    this.#tell(response, `retry: ${RECONNECT_AFTER}\n\n${event?.text ?? ''}`)
    if (event?.isToken) this.#ports.onHandOut(userAgent)
  }

  remove(response: ServerResponse): void {
    this.#listeners.delete(response)
    if (this.#listeners.size === 0) this.#heartbeat.end()
  }

  #look(): void {
    const event = this.#event()
    if (event === undefined || event.told === this.#told) return
    this.#told = event.told
    for (const [response, userAgent] of this.#listeners) {
      this.#tell(response, event.text)
      if (event.isToken) this.#ports.onHandOut(userAgent)
    }
  }

  /** What is to be told as of now; nothing where a token may still come. */
  #event() {
    const { source, clock, replies } = this.#ports
    const answer = answerOf({ kind: 'valid', minValidity: 0, isStrict: false }, source.hand, clock.now())
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
    // A tool that doesn't read must not fill the memory. This text doesn't count yet: over a pipe, unlike a socket, Node
    // keeps even what the system could take at once until the next turn.
    if (response.writableLength > this.#ports.longestBacklog) response.destroy()
    else response.write(text)
  }

  #beatLater(): void {
    const { clock } = this.#ports
    this.#heartbeat.begin(() => clock.at(clock.now() + HEARTBEAT, () => this.#beat()))
  }

  #beat(): void {
    this.#heartbeat.end()
    for (const response of this.#listeners.keys()) {
      // A tool that was stopped reads no more, and may keep its connection for days.
      if (this.#unheard.has(response)) response.destroy()
      this.#unheard.add(response)
      response.write(':\n\n', () => this.#unheard.delete(response))
    }
    this.#beatLater()
  }
}
