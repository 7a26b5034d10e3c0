export type Subscribe = (listener: () => void) => () => void

type Timer = (action: () => void) => () => void

const endOfTurn: Timer = (action) => {
  const timer = setImmediate(action)
  return () => clearImmediate(timer)
}

export class Listeners<Event = void> {
  readonly #listeners = new Set<(event: Event) => void>()
  readonly #timer: Timer
  readonly #telling = new Subscription()

  /** @param timer decides when `tellLater` calls the listeners; by default, at the end of the event loop's turn */
  constructor(timer = endOfTurn) {
    this.#timer = timer
  }

  readonly subscribe = (listener: (event: Event) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.isEmpty) this.#telling.end()
    }
  }

  /** A listener that throws stops neither the caller nor the other listeners. Its error is rethrown in a microtask. */
  readonly tell = (event: Event): void => {
    for (const listener of [...this.#listeners]) {
      // An earlier listener may have removed this one.
      if (!this.#listeners.has(listener)) continue
      try {
        listener(event)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  /** Calls the listeners when the timer ends. Further calls until then have no effect. */
  tellLater(event: Event): void {
    if (this.isEmpty) return
    this.#telling.begin(() =>
      this.#timer(() => {
        this.#telling.end()
        this.tell(event)
      }),
    )
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  clear(): void {
    this.#listeners.clear()
  }
}

/** Holds at most one running subscription or timer. */
export class Subscription {
  #end: (() => void) | undefined

  get isOn(): boolean {
    return this.#end !== undefined
  }

  /**
   * Does nothing if a subscription or timer is running.
   * @param begin starts a subscription or timer, and returns a function that ends it
   */
  begin(begin: () => () => void): void {
    this.#end ??= begin()
  }

  /** Ends the subscription or timer. A timer that has fired still counts as running until it is ended. */
  end(): void {
    const end = this.#end
    this.#end = undefined
    end?.()
  }
}
