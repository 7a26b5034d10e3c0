import type { Clock } from '../../base/clock.ts'

/** Waits, one at a time. After `cancel`, the current wait and all later waits end immediately. */
export class CancellableWait {
  readonly #clock: Pick<Clock, 'at'>
  #end = (): void => {}
  #isCancelled = false

  constructor(clock: Pick<Clock, 'at'>) {
    this.#clock = clock
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Resolves at the deadline, or immediately when cancelled. */
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
