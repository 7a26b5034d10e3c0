/** Keeps track of work that must end before the app may end. */
export class Tasks {
  readonly #works = new Set<Promise<unknown>>()

  add<T>(work: Promise<T>): Promise<T> {
    this.#works.add(work)
    const over = () => this.#works.delete(work)
    work.then(over, over)
    return work
  }

  /** Resolves when no work is under way. Also waits for work that begins during the wait. */
  async over(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works)
  }
}
