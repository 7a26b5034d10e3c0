import type { Clock } from '../base/clock.ts'
import { messageOf } from './storable.ts'

/** How long a caller waits for the keychain, including the wait for its turn. */
export const TIMEOUT_MS = 5_000

export type CallResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly cause: string }
  /** The answer did not come in time. The call can't be cancelled and may still succeed. */
  | { readonly kind: 'late' }

export type Changed<T> =
  | CallResult<T>
  /** A newer change of the same entry has replaced this one before it began. */
  | { readonly kind: 'overtaken' }

interface Waiting {
  /** The entry that the call changes; absent for a read. */
  readonly entry: string | undefined
  run(): Promise<void>
  overtake(): void
}

/**
 * Runs one keychain call at a time, in order, because a native call can't be cancelled and holds a thread of the pool.
 * Of several waiting changes of one entry only the newest is kept, so that the last request wins; the callers of the
 * others get `overtaken` at once. A caller who has waited for `timeoutMs` gets `late`. A read that hasn't begun by then
 * is dropped; a change still runs, because it is still wanted, but nobody hears of its result.
 */
export class CallQueue {
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #timeoutMs: number
  #waiting: readonly Waiting[] = []
  #running = false

  constructor(clock: Pick<Clock, 'now' | 'at'>, timeoutMs: number = TIMEOUT_MS) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  /** True while a call is under way. */
  get busy(): boolean {
    return this.#running
  }

  ask<T>(call: () => Promise<T>): Promise<CallResult<T>> {
    return new Promise((resolve) => {
      this.#add(undefined, call, resolve, () => {})
    })
  }

  change<T>(entry: string, call: () => Promise<T>): Promise<Changed<T>> {
    for (const older of this.#waiting.filter((each) => each.entry === entry)) {
      this.#drop(older)
      older.overtake()
    }
    return new Promise((resolve) => {
      this.#add(entry, call, resolve, () => resolve({ kind: 'overtaken' }))
    })
  }

  #add<T>(
    entry: string | undefined,
    call: () => Promise<T>,
    answer: (asked: CallResult<T>) => void,
    overtaken: () => void,
  ): void {
    const cancelDeadline = this.#clock.at(this.#clock.now() + this.#timeoutMs, () => {
      answer({ kind: 'late' })
      if (entry === undefined) this.#drop(waiting)
    })
    const waiting: Waiting = {
      entry,
      async run() {
        const asked = await outcomeOf(call)
        cancelDeadline()
        answer(asked)
      },
      overtake() {
        cancelDeadline()
        overtaken()
      },
    }
    this.#waiting = [...this.#waiting, waiting]
    void this.#work()
  }

  #drop(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((each) => each !== waiting)
  }

  async #work(): Promise<void> {
    if (this.#running) return
    this.#running = true
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      this.#drop(next)
      await next.run()
    }
    this.#running = false
  }
}

async function outcomeOf<T>(call: () => Promise<T>): Promise<CallResult<T>> {
  try {
    return { kind: 'done', value: await call() }
  } catch (error) {
    return { kind: 'failed', cause: messageOf(error) }
  }
}
