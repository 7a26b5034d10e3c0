import type { Clock } from '../session/ports.ts'
import { type Answer, type Method, parseAnswer } from './child-messages.ts'

/** A process that can be spoken to, and ended. */
export interface Child {
  send(message: unknown): void
  onMessage(hear: (message: unknown) => void): void
  /** Told once, however it ended. */
  onExit(hear: () => void): void
  /** Ends it at once, whatever it is doing; where it has ended, does nothing. */
  kill(): void
}

export interface ConversationOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long the child may take to start: milliseconds. */
  readonly start: number
  /** How long a call may take, in which somebody may be typing the keychain's password: milliseconds. */
  readonly overdue: number
  /** How long the child is kept with nothing to do: milliseconds. */
  readonly idle: number
}

interface Pending {
  resolve(value: string | boolean | null): void
  reject(error: Error): void
  readonly cancelDeadline: () => void
}

/** Stands for the child's first word among the calls. */
const FIRST_WORD = 0

/** What one child is asked and what it answers, until it ends, is ended, or has had nothing to do for a while. */
export class Conversation {
  readonly #child: Child
  readonly #options: ConversationOptions
  readonly #pending = new Map<number, Pending>()
  #lastId = FIRST_WORD
  #hasAnswered = false
  #isRetired = false
  #isOver = false
  #cancelIdle: (() => void) | undefined

  constructor(child: Child, options: ConversationOptions) {
    this.#child = child
    this.#options = options
  }

  /** It takes calls. */
  get isOpen(): boolean {
    return !this.#isRetired && !this.#isOver
  }

  /** It has answered a call: its connection to the keychain may be an old one. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Resolves when the child has loaded the native module; rejects where it can't. */
  async start(): Promise<void> {
    this.#child.onMessage((message) => this.#hear(message))
    this.#child.onExit(() => this.end('the keychain process has ended'))
    await this.#expect(FIRST_WORD, this.#options.start)
  }

  /** Rejects with what keytar says, or where the child comes to its end before it has answered. */
  async ask(method: Method, args: readonly string[]): Promise<string | boolean | null> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = this.#expect(id, this.#options.overdue)
    this.#child.send({ id, method, args })
    return answer
  }

  /** Takes no more calls, and ends the child once those under way have come to their end. */
  retire(): void {
    this.#isRetired = true
    if (this.#pending.size === 0) this.end('the keychain process was ended')
  }

  /** Ends the child at once. What it was asked is rejected, and may have been done all the same. */
  end(cause: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelIdle?.()
    for (const { cancelDeadline, reject } of this.#pending.values()) {
      cancelDeadline()
      reject(new Error(cause))
    }
    this.#pending.clear()
    this.#child.kill()
  }

  #expect(id: number, patience: number): Promise<string | boolean | null> {
    this.#cancelIdle?.()
    const { clock } = this.#options
    const cancelDeadline = clock.at(clock.now() + patience, () => this.end('the keychain process did not answer'))
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, cancelDeadline })
    })
  }

  #hear(message: unknown): void {
    if (this.#isOver) return
    const answer = parseAnswer(message)
    if (answer?.kind === 'unloadable') {
      this.end(answer.cause)
      return
    }
    const id = answer?.kind === 'ready' ? FIRST_WORD : answer?.id
    const pending = id === undefined ? undefined : this.#pending.get(id)
    // SECURITY: a process that says what nobody asked is not to be trusted with another call.
    if (answer === undefined || id === undefined || pending === undefined) {
      this.end('the keychain process made no sense')
      return
    }
    this.#pending.delete(id)
    pending.cancelDeadline()
    this.#settle(pending, answer)
    if (this.#pending.size === 0) this.#rest()
  }

  #settle({ resolve, reject }: Pending, answer: Exclude<Answer, { kind: 'unloadable' }>): void {
    this.#hasAnswered = answer.kind !== 'ready'
    if (answer.kind === 'ready') resolve(null)
    else if (answer.kind === 'done') resolve(answer.value)
    else reject(new Error(answer.cause))
  }

  #rest(): void {
    const { clock, idle } = this.#options
    if (this.#isRetired) this.retire()
    else this.#cancelIdle = clock.at(clock.now() + idle, () => this.retire())
  }
}
