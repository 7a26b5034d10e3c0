/** Publishes at most once a turn, at its end: more may change in it, and tools that wait are answered first. */
export class Publisher {
  readonly #publish: () => void
  #next: NodeJS.Immediate | undefined

  constructor(publish: () => void) {
    this.#publish = publish
  }

  /** Something has changed. */
  ask(): void {
    this.#next ??= setImmediate(() => {
      this.#next = undefined
      this.#publish()
    })
  }
}
