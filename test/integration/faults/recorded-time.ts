import { ManualTime } from '../../support/manual-time.ts'

/**
 * A clock that records when its timers are due, so that the effects of one timer can settle before the next one runs.
 */
export class RecordedTime extends ManualTime {
  readonly #dues = new Set<{ readonly at: number }>()

  override setTimeout(action: () => void, delay: number): () => void {
    const due = { at: this.monotonicTime + delay }
    this.#dues.add(due)
    const cancel = super.setTimeout(() => {
      this.#dues.delete(due)
      action()
    }, delay)
    return () => {
      this.#dues.delete(due)
      cancel()
    }
  }

  /** Advances the time from timer to timer. The effects of a timer settle before the next timer runs. */
  async passFrom(rest: () => Promise<void>, ms: number): Promise<void> {
    const end = this.monotonicTime + ms
    for (;;) {
      await rest()
      const next = Math.min(end, ...[...this.#dues].map(({ at }) => at))
      const isLast = next === end
      this.pass(Math.max(0, next - this.monotonicTime))
      if (isLast) return rest()
    }
  }
}
