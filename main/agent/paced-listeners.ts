import type { Clock } from '../base/clock.ts'
import { Listeners } from '../base/listeners.ts'
import { Subscription } from './subscription.ts'

/** The minimum time between two calls of the listeners, in milliseconds. */
const INTERVAL_MS = 1_000

/** Listeners that are called at most once a second, however often tools cause a change. */
export class PacedListeners {
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #listeners = new Listeners()
  readonly #silence = new Subscription()

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#clock = clock
  }

  /** Registers a listener. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const undo = this.#listeners.subscribe(listener)
    return () => {
      undo()
      if (this.#listeners.isEmpty) this.#silence.end()
    }
  }

  tellSoon(): void {
    if (this.#listeners.isEmpty) return
    this.#silence.begin(() =>
      this.#clock.at(this.#clock.now() + INTERVAL_MS, () => {
        this.#silence.end()
        this.#listeners.tell()
      }),
    )
  }
}
