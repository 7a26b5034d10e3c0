import type { Clock } from '../ports.ts'

/** Waits that can be cancelled, once and for all. */
export class Pause {
  readonly #clock: Pick<Clock, 'at'>
  #end = (): void => {}
  #isCancelled = false

  constructor(clock: Pick<Clock, 'at'>) {
    this.#clock = clock
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Resolves at the deadline, or as soon as it is cancelled. */
  until(deadline: number): Promise<void> {
    if (this.#isCancelled) return Promise.resolve()
    return new Promise((resolve) => {
      const undo = this.#clock.at(deadline, resolve)
      this.#end = () => {
        undo()
        resolve()
      }
    })
  }

  cancel(): void {
    this.#isCancelled = true
    this.#end()
  }
}
