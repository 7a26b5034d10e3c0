/** Measures elapsed time, which includes sleep and never goes back. */
export interface Clock {
  /** Milliseconds since an arbitrary start. A forward step of the wall clock counts as elapsed time. */
  now(): number
  /** The desktop's wall clock: milliseconds since the epoch. For display only. */
  wall(): number
  /** Calls `action` once `now()` has reached `deadline`, even after a sleep. Returns a function that cancels this. */
  at(deadline: number, action: () => void): () => void
}

/** The system's clocks and timer. Tests replace them to simulate sleep and jumps. */
export interface TimeSource {
  /** Milliseconds since the epoch; may jump either way. */
  wall(): number
  /** Milliseconds since an arbitrary start; never goes back, but may stop while the computer sleeps. */
  monotonic(): number
  setTimeout(action: () => void, delay: number): () => void
}

/** If the two clocks drift apart by more than this, the computer has slept or the wall clock was changed. */
const JUMP_MS = 2_000

/** Longer waits are split, because a native timer may not count the time asleep. */
const LONGEST_WAIT_MS = 30_000

/**
 * Elapsed time follows the monotonic clock. If the wall clock advances further, after a sleep or a step forward, the
 * difference is added; a step backward adds nothing. Small differences are ignored, because frequent reads would add
 * them up.
 */
export class DeadlineClock implements Clock {
  readonly #source: TimeSource
  readonly #timers = new Set<{ readonly deadline: number; readonly action: () => void }>()
  readonly #checkListeners = new Set<() => void>()
  readonly #start: number
  #lead: number
  #added = 0
  #cancelNativeTimer: (() => void) | undefined

  constructor(source: TimeSource) {
    this.#source = source
    this.#start = source.monotonic()
    this.#lead = source.wall() - this.#start
  }

  now(): number {
    const monotonic = this.#source.monotonic()
    const moved = this.#source.wall() - monotonic - this.#lead
    if (Math.abs(moved) > JUMP_MS) {
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

  onCheck(listener: () => void): () => void {
    this.#checkListeners.add(listener)
    this.#arm()
    return () => {
      if (this.#checkListeners.delete(listener)) this.#arm()
    }
  }

  /** Call this after resume, unlock, and any other sign that the computer may have slept. */
  check(): void {
    const now = this.now()
    try {
      for (const timer of [...this.#timers].sort((a, b) => a.deadline - b.deadline)) {
        if (timer.deadline <= now && this.#timers.delete(timer)) timer.action()
      }
      for (const listener of [...this.#checkListeners]) listener()
    } finally {
      // This also runs if an action throws. Otherwise one bug would stop every refresh.
      this.#arm()
    }
  }

  /** Sets the native timer again, because the current one may have been set before a sleep. */
  #arm(): void {
    this.#cancelNativeTimer?.()
    this.#cancelNativeTimer = undefined
    if (this.#timers.size === 0 && this.#checkListeners.size === 0) return
    const nearest = Math.min(...[...this.#timers].map(({ deadline }) => deadline))
    const left = Math.max(0, nearest - this.now())
    this.#cancelNativeTimer = this.#source.setTimeout(() => this.check(), Math.ceil(Math.min(left, LONGEST_WAIT_MS)))
  }
}

export const systemTime: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(action, delay) {
    const timer = setTimeout(action, delay)
    return () => clearTimeout(timer)
  },
}
