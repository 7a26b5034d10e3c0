/** Publishes what has changed: once a turn, after it, in which more may change, and in which tools are answered. */
export class Publisher {
  readonly #publish: () => void
  #next: NodeJS.Immediate | undefined
  #isHeld = false

  constructor(publish: () => void) {
    this.#publish = publish
  }

  /** Something has changed. */
  ask(): void {
    if (this.#isHeld) return
    this.#next ??= setImmediate(() => {
      this.#next = undefined
      this.#publish()
    })
  }

  /** Publishes nothing until then, and then all of it; `release` comes sooner. */
  hold(until: Promise<unknown>): void {
    this.#isHeld = true
    void until.then(() => this.release())
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.ask()
  }
}
