/** Something that goes on until it is ended, once at a time: a subscription, a timer. */
export class Ongoing {
  #end: (() => void) | undefined

  get isOn(): boolean {
    return this.#end !== undefined
  }

  /** Begins it, unless it goes on; `begin` returns the undo. */
  begin(begin: () => () => void): void {
    this.#end ??= begin()
  }

  /** Ends it, where it goes on. A timer that has rung is over by this too. */
  end(): void {
    const end = this.#end
    this.#end = undefined
    end?.()
  }
}
