import type { Clock } from './clock.ts'

/** Resolves to `late` after the timeout. The work itself continues. */
export function withTimeout<T, L>(
  clock: Pick<Clock, 'now' | 'at'>,
  timeoutMs: number,
  work: Promise<T>,
  late: L,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + timeoutMs, () => resolve(late))
    work.then(resolve, reject).finally(cancel)
  })
}

type Settle<T> = (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void

/**
 * Settles like the work, or rejects as soon as the signal is aborted. After an abort, no work begins.
 * @param work either a promise, which an abort doesn't stop, or a function that begins the work and returns a function
 * that cancels it
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T> | Settle<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = () => {}
    const abort = () => {
      cancel()
      reject(signal.reason)
    }
    const settled =
      <A>(settle: (value: A) => void) =>
      (value: A) => {
        signal.removeEventListener('abort', abort)
        settle(value)
      }
    // Even if the signal is aborted, a rejection of the work must be handled.
    if (work instanceof Promise) work.then(settled(resolve), settled(reject))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    if (!(work instanceof Promise)) cancel = work(settled(resolve), settled(reject))
  })
}

/** Runs one step at a time, in the order of the calls. */
export type InTurn = <T>(step: () => Promise<T>) => Promise<T>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const done = last.then(step)
    last = done.catch(() => {})
    return done
  }
}

/** Keeps track of work that must end before the app may end. */
export class Tasks {
  readonly #works = new Set<Promise<unknown>>()

  add<T>(work: Promise<T>): Promise<T> {
    this.#works.add(work)
    const over = () => this.#works.delete(work)
    work.then(over, over)
    return work
  }

  /** Resolves when no work is under way, even if some has failed. Also waits for work that begins during the wait. */
  async over(): Promise<void> {
    while (this.#works.size > 0) await Promise.allSettled(this.#works)
  }
}
