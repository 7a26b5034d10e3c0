import type { Clock } from '../session/ports.ts'
import type { Method } from './child-messages.ts'
import { type Child, Conversation } from './conversation.ts'
import type { Keytar } from './keytar-store.ts'

export interface KeytarProcessOptions {
  /** Starts a child that runs `keytar-child.ts`. */
  readonly fork: () => Child
  /** A child that was started before the rest of the app was loaded, to serve the first calls. */
  readonly first?: Child | undefined
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long a child may take to start, a call to end, and a child is kept with nothing to do: milliseconds. */
  readonly start?: number
  readonly overdue?: number
  readonly idle?: number
}

const START = 10_000
/** Long, because the system's unlock prompt may stand open all the while. */
const OVERDUE = 5 * 60_000
const IDLE = 10_000
/** What fails this soon has waited for nobody: no person, and no keychain that is busy. Milliseconds. */
const AT_ONCE = 1_000

/**
 * Keytar in a process of its own, which is started by a call and ended when nothing has been asked for a while.
 *
 * A child whose call failed takes no other: whatever had become of its connection, the next one has a new one.
 * A call that failed at once, in a child that had answered before, is made a second time. All three calls come
 * to the same when they are made twice; and since nobody was waited for, no prompt is shown twice.
 */
export class KeytarProcess implements Keytar {
  readonly #options: KeytarProcessOptions
  #current: Conversation | undefined
  #loaded: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: KeytarProcessOptions) {
    this.#options = options
  }

  /** Starts a child where there is none; rejects where the native module can't be loaded. */
  async load(): Promise<Keytar> {
    this.#open()
    await this.#loaded
    return this
  }

  /** Ends the child, whatever it is doing, and starts no other. */
  stop(): void {
    this.#isStopped = true
    if (this.#current === undefined) this.#options.first?.kill()
    this.#current?.end('the app is ending')
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
    const conversation = this.#open()
    const { clock } = this.#options
    const mayBeOld = conversation.hasAnswered
    const begun = clock.now()
    try {
      return await this.#ask(conversation, method, args)
    } catch (error) {
      if (!mayBeOld || clock.now() - begun > AT_ONCE || this.#isStopped) throw error
      return this.#ask(this.#open(), method, args)
    }
  }

  async #ask(conversation: Conversation, method: Method, args: readonly string[]) {
    try {
      return await conversation.ask(method, args)
    } catch (error) {
      conversation.retire()
      throw error
    }
  }

  #open(): Conversation {
    if (this.#isStopped) throw new Error('the app is ending')
    if (this.#current?.isOpen) return this.#current
    const { fork, first, clock, start = START, overdue = OVERDUE, idle = IDLE } = this.#options
    const child = this.#current === undefined ? (first ?? fork()) : fork()
    const conversation = new Conversation(child, { clock, start, overdue, idle })
    this.#current = conversation
    this.#loaded = conversation.start()
    // A call that is made meanwhile is rejected by itself.
    this.#loaded.catch(() => {})
    return conversation
  }
}

const NONSENSE = 'the keychain process made no sense'
