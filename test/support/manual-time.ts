import type { TimeSource } from '../../main/base/clock.ts'

interface Timer {
  readonly due: number
  readonly action: () => void
}

/** Resolves once all callbacks of settled promises have run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Clocks that the test advances. The monotonic one and the native timers stop during sleep. */
export class ManualTime implements TimeSource {
  wallTime = 1_700_000_000_000
  monotonicTime = 5
  /** The time that has really passed, asleep or awake. */
  trueTime = 0
  readonly #timers = new Set<Timer>()

  wall(): number {
    return this.wallTime
  }

  monotonic(): number {
    return this.monotonicTime
  }

  setTimeout(action: () => void, delay: number): () => void {
    const timer = { due: this.monotonicTime + delay, action }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  pending(): number {
    return this.#timers.size
  }

  pass(ms: number): void {
    const end = this.monotonicTime + ms
    while (this.#advance(end));
  }

  /** Advances the time. What follows from a timer runs, until `rest` resolves, before the next timer fires. */
  async passSettling(ms: number, rest = settle): Promise<void> {
    const end = this.monotonicTime + ms
    while (this.#advance(end)) await rest()
    await rest()
  }

  sleep(ms: number): void {
    this.wallTime += ms
    this.trueTime += ms
  }

  /** Sleeps on a system whose monotonic clock runs during sleep, although its timers stop. */
  sleepCounted(ms: number): void {
    this.sleep(ms)
    this.monotonicTime += ms
    const timers = [...this.#timers]
    this.#timers.clear()
    for (const timer of timers) this.#timers.add(Object.assign(timer, { due: timer.due + ms }))
  }

  step(ms: number): void {
    this.wallTime += ms
  }

  /** The clocks of one process. Its timers end with it, and its wall clock is ahead of the desktop's by `offset` ms. */
  process(offset = 0): TimeSource & { readonly kill: () => void; readonly pending: () => number } {
    const cancels = new Set<() => void>()
    let isAlive = true
    return {
      wall: () => this.wall() + offset,
      monotonic: () => this.monotonic(),
      setTimeout: (action, delay) => {
        if (!isAlive) return () => {}
        const cancelTimer = this.setTimeout(() => {
          cancels.delete(cancel)
          action()
        }, delay)
        const cancel = () => {
          cancels.delete(cancel)
          cancelTimer()
        }
        cancels.add(cancel)
        return cancel
      },
      pending: () => cancels.size,
      kill: () => {
        isAlive = false
        for (const cancel of [...cancels]) cancel()
      },
    }
  }

  #advance(end: number): boolean {
    let next: Timer | undefined
    for (const timer of this.#timers) if (next === undefined || timer.due < next.due) next = timer
    const isDue = next !== undefined && next.due <= end
    const moved = Math.max(0, (isDue && next !== undefined ? next.due : end) - this.monotonicTime)
    this.monotonicTime += moved
    this.wallTime += moved
    this.trueTime += moved
    if (!isDue || next === undefined) return false
    this.#timers.delete(next)
    next.action()
    return true
  }
}
