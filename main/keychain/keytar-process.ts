import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import type { KeytarAnswer, KeytarMethod } from './keytar-child.ts'
import type { Keytar } from './keytar-store.ts'

/**
 * Whether keytar runs in a child process. On Linux it must, because libsecret never renews a connection that a restart
 * of the Secret Service has broken, and a call that waits for a prompt ends only with its process. On macOS it must run
 * in the app: an entry trusts the program that created it (Apple: Security, Access Control Lists), and a child is
 * another program.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'

export interface KeytarChild {
  send(message: unknown): void
  onMessage(hear: (message: unknown) => void): void
  onExit(hear: () => void): void
  /** Kills the process. Does nothing if it has already ended. */
  kill(): void
}

export interface KeytarProcessOptions extends Partial<typeof TIMES> {
  readonly fork: () => KeytarChild
  /** A child that was started while the rest of the app was still loading. */
  readonly first?: KeytarChild | undefined
  readonly clock: Pick<Clock, 'now' | 'at'>
}

interface Started {
  readonly channel: KeytarChannel
  readonly loaded: Promise<void>
}

const TIMES = {
  startMs: 30_000,
  /** How long a call may take. The user needs time to answer the system's prompt. */
  callMs: 5 * 60_000,
  /**
   * The interval between pings while a call is pending. A child that hangs is replaced after three intervals. This is
   * before the caller's own timeout passes (`KEYCHAIN_TIMEOUT_MS` in `keytar-store.ts`), so an app that quits can still
   * store the session.
   */
  pingMs: 1_500,
  idleMs: 10_000,
}
const LOAD_MS = 2_000
/** The delay after two children in a row ended before they were ready. Each further failed start doubles it. */
const FIRST_RETRY_DELAY_MS = 1_000
const LONGEST_RETRY_DELAY_MS = 60_000
/** A call that fails faster can't have been refused by the user at a prompt. */
const FAST_MS = 1_000

/**
 * Runs keytar in a child process, which takes 25 MB and ends when idle. After a failed call, the next call gets a new
 * child, and with it a new connection. A call is repeated if a broken connection must have been the reason: the child
 * had answered an earlier call or has died, and the call failed too fast for the user to have refused it. Any call can
 * safely be made twice.
 */
export class KeytarProcess implements Keytar {
  readonly #options: KeytarProcessOptions & typeof TIMES
  readonly #stopped = new AbortController()
  #current: Started | undefined
  #failedStarts = 0
  #startAt = Number.NEGATIVE_INFINITY

  constructor(options: KeytarProcessOptions) {
    this.#options = { ...TIMES, ...options }
  }

  /** Rejects if libsecret is missing, but not if the child is slow or ends: there may be a keychain all the same. */
  async load(): Promise<Keytar> {
    const failure = (async () => this.#open().loaded)().then(
      () => undefined,
      (error: unknown) => error,
    )
    const error = await withTimeout(this.#options.clock, LOAD_MS, failure, undefined)
    if (error instanceof UnloadableError) throw error
    return this
  }

  stop(): void {
    this.#stopped.abort(new Error('the app is ending'))
    if (this.#current === undefined) this.#options.first?.kill()
    this.#current?.channel.end('the app is ending')
  }

  keep(): void {
    this.#current?.channel.keep()
  }

  reconnect(): void {
    this.#current?.channel.drain()
  }

  async getPassword(service: string, account: string): Promise<string | null> {
    const value = await this.#call('getPassword', [service, account])
    if (typeof value === 'boolean') throw new Error(NONSENSE)
    return value
  }

  async setPassword(service: string, account: string, password: string): Promise<void> {
    await this.#call('setPassword', [service, account, password])
  }

  async deletePassword(service: string, account: string): Promise<boolean> {
    const value = await this.#call('deletePassword', [service, account])
    if (typeof value !== 'boolean') throw new Error(NONSENSE)
    return value
  }

  async #call(method: KeytarMethod, args: readonly string[]): Promise<string | boolean | null> {
    const { channel } = this.#open()
    const { clock } = this.#options
    const mayBeOld = channel.hasAnswered
    const begun = clock.now()
    try {
      return await this.#ask(channel, method, args)
    } catch (error) {
      const mayRepeat = mayBeOld || channel.phase === 'died'
      if (!mayRepeat || clock.now() - begun > FAST_MS || this.#stopped.signal.aborted) throw error
      return this.#ask(this.#open().channel, method, args)
    }
  }

  async #ask(channel: KeytarChannel, method: KeytarMethod, args: readonly string[]) {
    try {
      return await channel.ask(method, args)
    } catch (error) {
      channel.drain()
      throw error
    }
  }

  #open(): Started {
    this.#stopped.signal.throwIfAborted()
    if (this.#current?.channel.phase === 'open') return this.#current
    if (this.#options.clock.now() < this.#startAt) throw new Error('the keychain process can’t be started')
    const { fork, first, clock } = this.#options
    const child = this.#current === undefined ? (first ?? fork()) : fork()
    const channel = new KeytarChannel(child, this.#options)
    const loaded = channel.start()
    this.#current = { channel, loaded }
    // A failed start is reported by the calls that wait for it.
    loaded.then(
      () => {
        this.#failedStarts = 0
      },
      () => {
        // The first failure causes no delay, because something may have killed the child.
        const delay = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (this.#failedStarts - 1), LONGEST_RETRY_DELAY_MS)
        this.#startAt = this.#failedStarts === 0 ? this.#startAt : clock.now() + delay
        this.#failedStarts += 1
      },
    )
    return this.#current
  }
}

const NONSENSE = 'the keychain process made no sense'

class UnloadableError extends Error {}

interface Pending {
  resolve(value: string | boolean | null): void
  reject(error: Error): void
  readonly cancelDeadline: () => void
}

/**
 * After this many unanswered pings in a row, the child is considered hung. A single one may mean that the computer has
 * slept. The child answers pings even while a prompt is open, because keytar waits in a thread of its own.
 */
const UNANSWERED_PINGS = 2

/** The id under which the start waits for the message `ready`. Calls have higher ids. */
const READY = 0

class KeytarChannel {
  readonly #child: KeytarChild
  readonly #options: KeytarProcessOptions & typeof TIMES
  readonly #pending = new Map<number, Pending>()
  #lastId = READY
  #hasAnswered = false
  /** True if the child must stay even when idle. */
  #isKept = false
  /** `draining`: the child ends after the pending calls. `ended`: we ended the child. `died`: it ended by itself. */
  #phase: 'open' | 'draining' | 'ended' | 'died' = 'open'
  /** Cancels the next ping or, if no call is pending, the end of the idle child. */
  #cancelTimer: (() => void) | undefined

  constructor(child: KeytarChild, options: KeytarProcessOptions & typeof TIMES) {
    this.#child = child
    this.#options = options
  }

  get phase() {
    return this.#phase
  }

  /** True once the child has answered. From then on, a restart of the Secret Service may break its connection. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  async start(): Promise<void> {
    this.#child.onMessage((message) => this.#hear(message))
    this.#child.onExit(() => this.#end('died', new Error('the keychain process has ended')))
    await this.#expect(READY, this.#options.startMs)
  }

  async ask(method: KeytarMethod, args: readonly string[]): Promise<string | boolean | null> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = this.#expect(id, this.#options.callMs)
    this.#child.send({ id, method, args })
    if (this.#cancelTimer === undefined) this.#pingLater()
    return answer
  }

  keep(): void {
    this.#isKept = true
  }

  /** Accepts no more calls, and ends the child after the pending ones. */
  drain(): void {
    if (this.#phase === 'open') this.#phase = 'draining'
    if (this.#pending.size === 0) this.end('the keychain process was ended')
  }

  /** Ends the child at once. Pending calls reject, although the child may have executed them. */
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

  /** @param unanswered how many of the last pings haven't been answered */
  #pingLater(unanswered = 0): void {
    const { clock, pingMs } = this.#options
    this.#stopTimer()
    this.#cancelTimer = clock.at(clock.now() + pingMs, () => {
      // A child that is still starting can't answer pings. The start has a timeout of its own.
      if (this.#pending.has(READY)) return this.#pingLater()
      if (unanswered === UNANSWERED_PINGS) return this.end('the keychain process hung')
      this.#pingLater(unanswered + 1)
      this.#lastId += 1
      this.#child.send({ id: this.#lastId, method: 'ping', args: [] })
    })
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  #hear(message: unknown): void {
    if (this.#isOver) return
    const answer = parseAnswer(message)
    if (answer?.kind === 'alive') {
      if (this.#pending.size > 0) this.#pingLater()
      return
    }
    if (answer?.kind === 'unloadable') {
      this.#end('ended', new UnloadableError(answer.cause))
      return
    }
    const id = answer?.kind === 'ready' ? READY : answer?.id
    const pending = id === undefined ? undefined : this.#pending.get(id)
    // SECURITY: a child that sends an unexpected message gets no further call.
    if (answer === undefined || id === undefined || pending === undefined) {
      this.end(NONSENSE)
      return
    }
    this.#pending.delete(id)
    pending.cancelDeadline()
    this.#settle(pending, answer)
    if (this.#pending.size === 0) this.#rest()
  }

  #settle({ resolve, reject }: Pending, answer: Exclude<KeytarAnswer, { kind: 'unloadable' | 'alive' }>): void {
    this.#hasAnswered = answer.kind !== 'ready'
    if (answer.kind === 'ready') resolve(null)
    else if (answer.kind === 'done') resolve(answer.value)
    else reject(new Error(answer.cause))
  }

  #rest(): void {
    this.#stopTimer()
    const { clock, idleMs } = this.#options
    if (this.#phase === 'draining') this.drain()
    else this.#cancelTimer = clock.at(clock.now() + idleMs, () => this.#isKept || this.drain())
  }
}

function parseAnswer(message: unknown): KeytarAnswer | undefined {
  const { kind, id, value, cause }: { readonly [field: string]: unknown } = Object(message)
  if (kind === 'ready' || kind === 'alive') return { kind }
  if (kind === 'unloadable' && typeof cause === 'string') return { kind, cause }
  if (kind === 'done' && isId(id) && isValue(value)) return { kind, id, value }
  if (kind === 'failed' && isId(id) && typeof cause === 'string') return { kind, id, cause }
  return undefined
}

const isId = (id: unknown): id is number => Number.isSafeInteger(id)
const isValue = (value: unknown): value is string | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'boolean'
