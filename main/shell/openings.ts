import type { Opening } from '../../contract/views.ts'

/** What the window is asked to open from outside of it: forgotten when the window is closed. */
export class Openings {
  #last: Opening | undefined
  #number = 0

  get view(): Opening | undefined {
    return this.#last
  }

  ask(screen: Opening['screen']): void {
    this.#number += 1
    this.#last = { screen, number: this.#number }
  }

  forget(): void {
    this.#last = undefined
  }
}
