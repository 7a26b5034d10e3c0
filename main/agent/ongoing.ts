/** A subscription or timer that runs at most once at a time. */
export class Ongoing {
  #end: (() => void) | undefined

  get isOn(): boolean {
    return this.#end !== undefined
  }

  /** Starts the subscription or timer unless it is running; `begin` returns the undo. */
  begin(begin: () => () => void): void {
    this.#end ??= begin()
  }

  /** Ends the subscription or timer if it is running. Call this after a timer has fired, too. */
  end(): void {
    const end = this.#end
    this.#end = undefined
    end?.()
  }
}
