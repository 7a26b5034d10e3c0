import { Listeners } from './listeners.ts'

/** Whatever changes is noted here. Listeners are told at most once a turn, at its end. */
export class Changes {
  readonly #listeners = new Listeners()
  #next: NodeJS.Immediate | undefined
  #count = 0

  /** Something has changed. More may change in the same turn, and tools that wait are answered first. */
  readonly changed = (): void => {
    this.#count += 1
    this.#next ??= setImmediate(() => {
      this.#next = undefined
      // Something may have been noted before it was done: the end of the turn is later than both.
      this.#count += 1
      this.#listeners.tell()
    })
  }

  /** While this stays the same, nothing changes. */
  get count(): number {
    return this.#count
  }

  /** Returns the undo. */
  readonly subscribe = this.#listeners.subscribe
}

/** What surfaces show: built once per change, however many of them read it. */
export class ViewStore<View> {
  readonly #build: () => View
  readonly #changes: Changes
  #built: { readonly view: View; readonly count: number } | undefined

  constructor(build: () => View, changes: Changes) {
    this.#build = build
    this.#changes = changes
  }

  /** The whole view as it is now. */
  get view(): View {
    const { count } = this.#changes
    if (this.#built?.count !== count) this.#built = { view: this.#build(), count }
    return this.#built.view
  }

  /** Delivers the whole view at once and after every change; returns the undo. */
  subscribe(listener: (view: View) => void): () => void {
    const undo = this.#changes.subscribe(() => listener(this.view))
    listener(this.view)
    return undo
  }
}
