/** A subscription or timer that runs at most once at a time, until it is ended. */
export class Ongoing {
  #end: (() => void) | undefined

  get isOn(): boolean {
    return this.#end !== undefined
  }

  /** Starts it unless it is running; `begin` returns the undo. */
  begin(begin: () => () => void): void {
    this.#end ??= begin()
  }

  /** Ends it if it is running. Also call it after a timer has fired. */
  end(): void {
    const end = this.#end
    this.#end = undefined
    end?.()
  }
}
