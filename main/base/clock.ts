import { Listeners } from './listeners.ts'

/** Measures elapsed time, which includes sleep and never goes back. */
export interface Clock {
  /** The elapsed milliseconds since an arbitrary start. They also advance when the wall clock is set forward. */
  now(): number
  /** The time of the desktop's wall clock, in milliseconds since the epoch. The user can change it. */
  wall(): number
  /** Calls `action` once `now()` has reached `deadline`, even after a sleep. Returns a function that cancels this. */
  at(deadline: number, action: () => void): () => void
}

/** The system's clocks and timer. Tests replace them to simulate sleep and jumps. */
export interface TimeSource {
  /** The time of the wall clock, in milliseconds since the epoch. It may jump forward or back. */
  wall(): number
  /** The milliseconds since an arbitrary start. They never go back, but may stop while the computer sleeps. */
  monotonic(): number
  setTimeout(action: () => void, delay: number): () => void
}

/** If the two clocks drift apart by more than this, the computer has slept or the wall clock was changed. */
const JUMP_MS = 2_000

/** The longest wait of a native timer. Longer waits are split, because a native timer may not count the time asleep. */
const LONGEST_WAIT_MS = 30_000

/**
 * Elapsed time follows the monotonic clock. If the wall clock advances further, because of a sleep or a step forward,
 * the difference is added. A step backward adds nothing. Small differences are ignored, because frequent reads would
 * add them up.
 */
export class DeadlineClock implements Clock {
  readonly #source: TimeSource
  readonly #timers = new Set<{ readonly deadline: number; readonly action: () => void }>()
  readonly #checks = new Listeners()
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
    const undo = this.#checks.subscribe(listener)
    this.#arm()
    return () => {
      undo()
      this.#arm()
    }
  }

  /** Runs the timers that are due. Call this after resume, unlock and other signs that the computer has slept. */
  check(): void {
    const now = this.now()
    try {
      for (const timer of [...this.#timers].sort((a, b) => a.deadline - b.deadline)) {
        if (timer.deadline <= now && this.#timers.delete(timer)) timer.action()
      }
      this.#checks.tell()
    } finally {
      // Without a new native timer, an action that throws would stop every later timer.
      this.#arm()
    }
  }

  /** Sets the native timer again, because the current one may have been set before a sleep. */
  #arm(): void {
    this.#cancelNativeTimer?.()
    this.#cancelNativeTimer = undefined
    if (this.#timers.size === 0 && this.#checks.isEmpty) return
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
