import type { Clock } from '../base/clock.ts'
import { type Answer, type Method, parseAnswer } from './child-messages.ts'

/** A process that receives messages and can be killed. */
export interface Child {
  send(message: unknown): void
  onMessage(hear: (message: unknown) => void): void
  /** Calls `hear` when the process ends, for whatever reason. */
  onExit(hear: () => void): void
  /** Kills the process. Does nothing if it has ended. */
  kill(): void
}

export interface KeytarChannelOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long the child may take to start. */
  readonly startMs: number
  /** How long a call may take, including the time that the user needs to type the keychain's password. */
  readonly callMs: number
  /** How often a child with a pending call is asked whether it still answers. */
  readonly pingMs: number
  /** How long an idle child is kept. */
  readonly idleMs: number
  /** True if the child is kept however long it is idle. */
  readonly isKept: () => boolean
}

/** The native module can't be loaded, so this desktop has no libsecret. */
export class UnloadableError extends Error {}

interface Pending {
  resolve(value: string | boolean | null): void
  reject(error: Error): void
  readonly cancelDeadline: () => void
}

/**
 * A child that has not answered so many pings in a row hangs or was stopped, and is ended. Keytar waits for a prompt in
 * a thread of its own, so a child with an open prompt answers. One unanswered ping proves nothing: the computer may have
 * slept.
 */
const UNANSWERED_PINGS = 2

/** The id under which the channel waits for the child's `ready` message. Calls have higher ids. */
const READY = 0

/** The calls to one child and their answers, until the child ends, is killed, or has been idle for a while. */
export class KeytarChannel {
  readonly #child: Child
  readonly #options: KeytarChannelOptions
  readonly #pending = new Map<number, Pending>()
  #lastId = READY
  #hasAnswered = false
  /** `draining`: accepts no more calls. `ended`: by this channel. `died`: by itself. */
  #phase: 'open' | 'draining' | 'ended' | 'died' = 'open'
  /** Cancels the next ping while calls are pending, else the end of the idle child. */
  #cancelTimer: (() => void) | undefined
  #unansweredPings = 0

  constructor(child: Child, options: KeytarChannelOptions) {
    this.#child = child
    this.#options = options
  }

  /** True if the child has ended by itself. */
  get hasDied(): boolean {
    return this.#phase === 'died'
  }

  /** True while the channel accepts calls. */
  get isOpen(): boolean {
    return this.#phase === 'open'
  }

  /**
   * True if the child has answered a call. The keychain's service may have been restarted since then, which breaks the
   * child's connection to it.
   */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Resolves when the child has loaded the native module; rejects if it can't be loaded. */
  async start(): Promise<void> {
    this.#child.onMessage((message) => this.#hear(message))
    this.#child.onExit(() => this.#end('died', new Error('the keychain process has ended')))
    await this.#expect(READY, this.#options.startMs)
  }

  /**
   * Sends a call to the child. Rejects with keytar's message if the call fails, and also if the child ends before it
   * has answered.
   */
  async ask(method: Method, args: readonly string[]): Promise<string | boolean | null> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = this.#expect(id, this.#options.callMs)
    this.#child.send({ id, method, args })
    if (this.#cancelTimer === undefined) this.#pingLater()
    return answer
  }

  /** Accepts no more calls, and ends the child when the pending calls have ended. */
  drain(): void {
    if (this.#phase === 'open') this.#phase = 'draining'
    if (this.#pending.size === 0) this.end('the keychain process was ended')
  }

  /** Ends the child immediately. Pending calls reject, although the child may have executed them. */
  end(cause: string): void {
    this.#end('ended', new Error(cause))
  }

  get #isOver(): boolean {
    return this.#phase === 'ended' || this.#phase === 'died'
  }

  #end(phase: 'ended' | 'died', error: Error): void {
    if (this.#isOver) return
    this.#phase = phase
    this.#stopTimer()
    for (const { cancelDeadline, reject } of this.#pending.values()) {
      cancelDeadline()
      reject(error)
    }
    this.#pending.clear()
    this.#child.kill()
  }

  #expect(id: number, timeoutMs: number): Promise<string | boolean | null> {
    if (this.#pending.size === 0) this.#stopTimer()
    const { clock } = this.#options
    const cancelDeadline = clock.at(clock.now() + timeoutMs, () => this.end('the keychain process did not answer'))
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, cancelDeadline })
    })
  }

  #pingLater(): void {
    const { clock, pingMs } = this.#options
    this.#cancelTimer = clock.at(clock.now() + pingMs, () => {
      // While it starts, the child doesn't answer. Its start has its own timeout.
      if (this.#pending.has(READY)) {
        this.#pingLater()
        return
      }
      if (this.#unansweredPings === UNANSWERED_PINGS) {
        this.end('the keychain process hung')
        return
      }
      this.#unansweredPings += 1
      this.#pingLater()
      this.#lastId += 1
      this.#child.send({ id: this.#lastId, method: 'ping', args: [] })
    })
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#unansweredPings = 0
  }

  #hear(message: unknown): void {
    if (this.#isOver) return
    const answer = parseAnswer(message)
    if (answer?.kind === 'alive') {
      this.#unansweredPings = 0
      return
    }
    if (answer?.kind === 'unloadable') {
      this.#end('ended', new UnloadableError(answer.cause))
      return
    }
    const id = answer?.kind === 'ready' ? READY : answer?.id
    const pending = id === undefined ? undefined : this.#pending.get(id)
    // SECURITY: a process that sends an unexpected message gets no further call.
    if (answer === undefined || id === undefined || pending === undefined) {
      this.end('the keychain process made no sense')
      return
    }
    this.#pending.delete(id)
    pending.cancelDeadline()
    this.#settle(pending, answer)
    if (this.#pending.size === 0) this.#rest()
  }

  #settle({ resolve, reject }: Pending, answer: Exclude<Answer, { kind: 'unloadable' | 'alive' }>): void {
    this.#hasAnswered = answer.kind !== 'ready'
    if (answer.kind === 'ready') resolve(null)
    else if (answer.kind === 'done') resolve(answer.value)
    else reject(new Error(answer.cause))
  }

  #rest(): void {
    this.#stopTimer()
    const { clock, idleMs, isKept } = this.#options
    if (this.#phase === 'draining') this.drain()
    else this.#cancelTimer = clock.at(clock.now() + idleMs, () => isKept() || this.drain())
  }
}
