import type { Clock } from '../../main/base/clock.ts'

export class ManualClock implements Pick<Clock, 'now' | 'at'> {
  #now = 0
  readonly #timers = new Set<{ readonly deadline: number; readonly action: () => void }>()

  now(): number {
    return this.#now
  }

  at(deadline: number, action: () => void): () => void {
    const timer = { deadline, action }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How many deadlines have neither passed nor been cancelled. */
  get armed(): number {
    return this.#timers.size
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
    for (const timer of this.#timers) {
      if (timer.deadline <= this.#now && this.#timers.delete(timer)) timer.action()
    }
  }
}
