/** Holds one subscription or timer, which never runs twice at the same time. */
export class Ongoing {
  #end: (() => void) | undefined

  get isOn(): boolean {
    return this.#end !== undefined
  }

  /** Starts the subscription or timer with the callback, unless it is running. The callback returns the undo. */
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
