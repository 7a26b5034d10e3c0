/** The ways to wait: for work in turn, for all work under way, and until a deadline or an abort. */
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

/** Settles like `work`, or rejects as soon as the signal is aborted. The work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits for the work after an abort, so its own error must not count as unhandled.
  work.catch(() => {})
  return untilAborted(signal, (resolve, reject) => {
    work.then(resolve, reject)
    return () => {}
  })
}

/** Rejects as soon as the signal is aborted. `work` returns a function that cancels the work. */
export function untilAborted<T>(
  signal: AbortSignal,
  work: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let cancel = () => {}
    const abort = () => {
      cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    const settled =
      <A>(settle: (value: A) => void) =>
      (value: A) => {
        signal.removeEventListener('abort', abort)
        settle(value)
      }
    cancel = work(settled(resolve), settled(reject))
  })
}

/** Resolves at the deadline, or as soon as the signal is aborted. */
export const sleepUntil = (clock: Pick<Clock, 'at'>, deadline: number, signal: AbortSignal): Promise<void> =>
  untilAborted<void>(signal, (resolve) => clock.at(deadline, resolve)).catch(() => {})

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

  /** Resolves when no work is under way. Also waits for work that begins during the wait. */
  async over(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works)
  }
}
