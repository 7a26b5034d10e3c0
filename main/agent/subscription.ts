/** Holds one subscription or timer, which never runs twice at the same time. */
export class Subscription {
  #end: (() => void) | undefined

  get isOn(): boolean {
    return this.#end !== undefined
  }

  /** Calls `begin`, which starts a subscription or timer and returns a function that ends it, unless it is running. */
  begin(begin: () => () => void): void {
    this.#end ??= begin()
  }

  /** Ends the subscription or timer if it is running. A timer that has fired counts as running until this is called. */
  end(): void {
    const end = this.#end
    this.#end = undefined
    end?.()
  }
}
