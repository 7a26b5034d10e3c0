/** Measures the elapsed time, which includes sleep and never goes back. Runs timers by deadline. */
export interface Clock {
  /** Milliseconds since an arbitrary start. A forward step of the wall clock counts as elapsed time. */
  now(): number
  /** The desktop's wall clock: milliseconds since the epoch. For display only. */
  wall(): number
  /**
   * Calls `action` once, when `now()` has reached `deadline`, even if the computer slept meanwhile. Returns a function
   * that cancels the call.
   */
  at(deadline: number, action: () => void): () => void
}

/** The raw time sources, so that tests can simulate sleep and jumps. */
export interface TimeSource {
  /** Milliseconds since the epoch; may jump either way. */
  wall(): number
  /** Milliseconds since an arbitrary start; never goes back, but may stop while the computer sleeps. */
  monotonic(): number
  setTimeout(action: () => void, delay: number): () => void
}

/**
 * If the wall clock and the monotonic clock drift apart by more than this, the computer has slept or the wall clock was
 * changed. A smaller difference is ignored.
 */
const JUMP_MS = 2_000

/** A native timer may not count time asleep, so no native timer is set for longer than this. */
const LONGEST_WAIT_MS = 30_000

/**
 * Measures elapsed time with two unreliable clocks, and runs timers by deadline. Elapsed time follows the monotonic
 * clock. If the wall clock advances further (after a sleep or a step forward), the difference is added. A step backward
 * adds no time. Small differences are ignored; otherwise frequent reads would add up the wall clock's jitter.
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

  /** Calls `listener` at each check of the deadlines, at least every 30 s. Returns a function that removes it. */
  onCheck(listener: () => void): () => void {
    this.#checkListeners.add(listener)
    this.#arm()
    return () => {
      if (this.#checkListeners.delete(listener)) this.#arm()
    }
  }

  /**
   * Checks every deadline now. Call this after resume, unlock, and any other event that suggests that the computer has
   * slept.
   */
  check(): void {
    const now = this.now()
    try {
      for (const timer of [...this.#timers].sort((a, b) => a.deadline - b.deadline)) {
        // An action may cancel a later timer.
        if (timer.deadline <= now && this.#timers.delete(timer)) timer.action()
      }
      for (const listener of [...this.#checkListeners]) listener()
    } finally {
      // The native timer is also reset if an action throws; otherwise one bug would stop every refresh.
      this.#arm()
    }
  }

  /** Resets the native timer, because the current one may have been set before a sleep. */
  #arm(): void {
    this.#cancelNativeTimer?.()
    this.#cancelNativeTimer = undefined
    if (this.#timers.size === 0 && this.#checkListeners.size === 0) return
    const nearest = Math.min(...[...this.#timers].map(({ deadline }) => deadline))
    const left = Math.max(0, nearest - this.now())
    this.#cancelNativeTimer = this.#source.setTimeout(() => this.check(), Math.ceil(Math.min(left, LONGEST_WAIT_MS)))
  }
}

/** The computer's own clocks. */
export const systemTime: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(action, delay) {
    const timer = setTimeout(action, delay)
    return () => clearTimeout(timer)
  },
}

/** Resolves at the deadline, or as soon as the signal aborts. */
export function sleepUntil(clock: Pick<Clock, 'at'>, deadline: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      undo()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const undo = clock.at(deadline, end)
    signal.addEventListener('abort', end, { once: true })
  })
}
