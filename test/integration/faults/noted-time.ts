import { HandTime } from '../../../main/session/testing/hand-time.ts'

/** Time moved by hand that knows when its next timer is due, so that the world can come to rest in between. */
export class NotedTime extends HandTime {
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

  /** Lets milliseconds pass, from timer to timer; whatever one has set off is over before the next. */
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
