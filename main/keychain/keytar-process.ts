import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/with-timeout.ts'
import type { Method } from './child-messages.ts'
import { type Child, KeytarChannel, UnloadableError } from './keytar-channel.ts'
import type { Keytar } from './keytar-store.ts'

export interface KeytarProcessOptions {
  /** Starts a child that runs `keytar-child.ts`. */
  readonly fork: () => Child
  /** A child for the first calls. It was started before the rest of the app was loaded. */
  readonly first?: Child | undefined
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Timeouts: for a child's start, for a call, between pings, and for an idle child. Milliseconds. */
  readonly startMs?: number
  readonly callMs?: number
  readonly pingMs?: number
  readonly idleMs?: number
}

interface Started {
  readonly channel: KeytarChannel
  /** Rejects if the child can't load the native module. */
  readonly loaded: Promise<void>
}

const START_MS = 30_000
/** How long opening the keychain waits for the child. */
const LOAD_MS = 2_000
/** The delay after a second child has ended before it was ready. Each further delay is twice as long. */
const FIRST_RETRY_DELAY_MS = 1_000
const LONGEST_RETRY_DELAY_MS = 60_000
/** This timeout is long, because the user may take minutes to answer the system's unlock prompt. */
const CALL_MS = 5 * 60_000
/**
 * A child that hangs is replaced after three times as long, before its caller gives up (`call-queue.ts`), so that an
 * app that is ending can still write the session.
 */
const PING_MS = 1_500
const IDLE_MS = 10_000
/** If a call fails within this time, it can't have waited for a prompt or a busy keychain. */
const FAST_MS = 1_000

/**
 * Keytar in a child process, which a call starts. It ends when idle, because it needs 25 MB, unless the user was asked
 * about its connection: KeePassXC asks once for each. After a failed call, the next one gets a new child and so a new
 * connection. A call that fails at once, although the child has answered before or has died, is repeated in a new
 * child: all three calls are idempotent, and one that fails at once hasn't waited for the user to answer a prompt.
 */
export class KeytarProcess implements Keytar {
  readonly #options: KeytarProcessOptions
  #current: Started | undefined
  #isStopped = false
  #isKept = false
  /** The number of children in a row that ended before they were ready. */
  #failedStarts = 0
  #startAt = Number.NEGATIVE_INFINITY

  constructor(options: KeytarProcessOptions) {
    this.#options = options
  }

  /**
   * Starts a child if none is running; rejects if the native module can't be loaded. If the child ends or is slow,
   * there may well be a keychain, so calls report the failure and start another child.
   */
  async load(): Promise<Keytar> {
    const failure = (async () => this.#open().loaded)().then(
      () => undefined,
      (error: unknown) => error,
    )
    const error = await withTimeout(this.#options.clock, LOAD_MS, failure, undefined)
    if (error instanceof UnloadableError) throw error
    return this
  }

  /** Ends the child immediately. From then on, no child is started. */
  stop(): void {
    this.#isStopped = true
    if (this.#current === undefined) this.#options.first?.kill()
    this.#current?.channel.end('the app is ending')
  }

  keep(): void {
    this.#isKept = true
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

  async #call(method: Method, args: readonly string[]): Promise<string | boolean | null> {
    const { channel } = this.#open()
    const { clock } = this.#options
    const mayBeOld = channel.hasAnswered
    const begun = clock.now()
    try {
      return await this.#ask(channel, method, args)
    } catch (error) {
      const mayRepeat = mayBeOld || channel.hasDied
      if (!mayRepeat || clock.now() - begun > FAST_MS || this.#isStopped) throw error
      return this.#ask(this.#open().channel, method, args)
    }
  }

  async #ask(channel: KeytarChannel, method: Method, args: readonly string[]) {
    try {
      return await channel.ask(method, args)
    } catch (error) {
      channel.drain()
      throw error
    }
  }

  #open(): Started {
    if (this.#isStopped) throw new Error('the app is ending')
    if (this.#current?.channel.isOpen) return this.#current
    if (this.#options.clock.now() < this.#startAt) throw new Error('the keychain process can’t be started')
    const { fork, first, clock } = this.#options
    const { startMs = START_MS, callMs = CALL_MS, pingMs = PING_MS, idleMs = IDLE_MS } = this.#options
    const child = this.#current === undefined ? (first ?? fork()) : fork()
    const channel = new KeytarChannel(child, { clock, startMs, callMs, pingMs, idleMs, isKept: () => this.#isKept })
    const loaded = channel.start()
    this.#current = { channel, loaded }
    // The calls that wait for this child report the failure themselves.
    loaded.then(
      () => {
        this.#failedStarts = 0
      },
      () => {
        // After the first failure the next child starts at once, because something may have killed this one.
        const delay = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (this.#failedStarts - 1), LONGEST_RETRY_DELAY_MS)
        this.#startAt = this.#failedStarts === 0 ? this.#startAt : clock.now() + delay
        this.#failedStarts += 1
      },
    )
    return this.#current
  }
}

const NONSENSE = 'the keychain process made no sense'
