import type { Clock } from './ports.ts'

/** The raw time sources, so that sleep, jumps and steps can be played in tests. */
export interface TimeSource {
  /** Milliseconds since the epoch; may jump either way. */
  wall(): number
  /** Milliseconds since an arbitrary start; never goes back, but may stand still while the computer sleeps. */
  monotonic(): number
  setTimeout(action: () => void, delay: number): () => void
}

/** Sleep and clock steps are told from the drift and jitter of two clocks by their size: milliseconds. */
const JUMP = 2_000

/** How long a native timer is trusted: it may not have counted the time asleep. Milliseconds. */
const LONGEST_WAIT = 30_000
/** The same at rest: milliseconds. */
const LONGEST_REST = 5 * 60_000

/**
 * One reading of elapsed time out of two unreliable clocks, and timers that hold a deadline.
 *
 * Elapsed time follows the monotonic clock; when the wall clock runs ahead of it (sleep, or a step forward), the
 * lead is added. A step backward adds nothing. Small differences are left alone, or sampling often would turn
 * the wall clock's jitter into advance.
 */
export class DeadlineClock implements Clock {
  readonly #source: TimeSource
  readonly #timers = new Set<{ readonly deadline: number; readonly action: () => void }>()
  readonly #looks = new Set<() => void>()
  readonly #start: number
  #lead: number
  #added = 0
  #mayRest = () => false
  /** The one native timer: it fires at that time of the monotonic clock. */
  #native: { readonly firesAt: number; readonly cancel: () => void } | undefined

  constructor(source: TimeSource) {
    this.#source = source
    this.#start = source.monotonic()
    this.#lead = source.wall() - this.#start
  }

  now(): number {
    const monotonic = this.#source.monotonic()
    const moved = this.#source.wall() - monotonic - this.#lead
    if (Math.abs(moved) > JUMP) {
      this.#lead += moved
      this.#added += Math.max(0, moved)
    }
    return monotonic - this.#start + this.#added
  }

  wall(): number {
    return this.#source.wall()
  }

  at(deadline: number, action: () => void): () => void {
    const timer = { deadline, action }
    this.#timers.add(timer)
    this.#arm()
    return () => {
      if (this.#timers.delete(timer)) this.#arm()
    }
  }

  /**
   * Calls `look` with each check of the deadlines, and so at least every 30 s, at rest every 5 min; returns the undo. For
   * what would else wake the computer with a timer of its own.
   */
  onCheck(look: () => void): () => void {
    this.#looks.add(look)
    this.#arm()
    return () => {
      if (this.#looks.delete(look)) this.#arm()
    }
  }

  /**
   * Checks every 5 min, not every 30 s, as long as `mayRest` says so, which is asked with each check, and whenever a
   * deadline is set or undone. For where somebody calls `check` after sleep: each wakes the computer.
   */
  restWhile(mayRest: () => boolean): void {
    this.#mayRest = mayRest
    // A timer that fires sooner would be left alone.
    this.#disarm()
    this.#arm()
  }

  /** Re-checks every deadline now: after resume, unlock, or anything else that may have taken time unseen. */
  check(): void {
    const now = this.now()
    try {
      for (const timer of [...this.#timers].sort((a, b) => a.deadline - b.deadline)) {
        // An action may cancel a later timer.
        if (timer.deadline <= now && this.#timers.delete(timer)) timer.action()
      }
      for (const look of [...this.#looks]) look()
    } finally {
      // Asleep it may not have counted.
      this.#disarm()
      // Whatever one of them throws, the next is not kept waiting for ever: no session is renewed by a clock that stands.
      this.#arm()
    }
  }

  /**
   * A native timer that fires too soon does no harm and is left alone: most deadlines are undone long before they pass. One
   * that should have fired has slept.
   */
  #arm(): void {
    if (this.#timers.size === 0 && this.#looks.size === 0) {
      this.#disarm()
      return
    }
    let nearest = Number.POSITIVE_INFINITY
    for (const { deadline } of this.#timers) nearest = Math.min(nearest, deadline)
    const left = Math.max(0, nearest - this.now())
    const longest = left > LONGEST_WAIT && this.#isAtRest() ? LONGEST_REST : LONGEST_WAIT
    const wait = Math.ceil(Math.min(left, longest))
    const monotonic = this.#source.monotonic()
    const firesAt = monotonic + wait
    const native = this.#native
    if (native !== undefined && native.firesAt > monotonic && native.firesAt <= firesAt) return
    this.#disarm()
    const fire = () => {
      this.#native = undefined
      this.check()
    }
    this.#native = { firesAt, cancel: this.#source.setTimeout(fire, wait) }
  }

  #disarm(): void {
    this.#native?.cancel()
    this.#native = undefined
  }

  /** A bug in the answer must not keep the timer from being set. */
  #isAtRest(): boolean {
    try {
      return this.#mayRest()
    } catch {
      return false
    }
  }
}

/** The computer's own clocks. */
export const systemTime: TimeSource = {
  wall: () => Date.now(),
  // Not `performance`, which Node loads at its first use.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  setTimeout(action, delay) {
    const timer = setTimeout(action, delay)
    return () => clearTimeout(timer)
  },
}
