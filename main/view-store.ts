import { Listeners } from './listeners.ts'

/** Whatever changes is noted here. Listeners are told at most once a turn, at its end. */
export class Changes {
  readonly #listeners = new Listeners()
  #next: NodeJS.Immediate | undefined

  /** Something has changed. More may change in the same turn, and tools that wait are answered first. */
  readonly changed = (): void => {
    this.#next ??= setImmediate(() => {
      this.#next = undefined
      this.#listeners.tell()
    })
  }

  /** Whether something has changed that listeners have not been told of yet. */
  get arePending(): boolean {
    return this.#next !== undefined
  }

  /** Returns the undo. */
  readonly subscribe = this.#listeners.subscribe
}

/** What surfaces show: built once per change, however many of them read it. */
export class ViewStore<View> {
  readonly #build: () => View
  readonly #changes: Changes
  #built: { readonly view: View } | undefined

  constructor(build: () => View, changes: Changes) {
    this.#build = build
    this.#changes = changes
    changes.subscribe(() => {
      this.#built = undefined
    })
  }

  /** The whole view as it is now. */
  get view(): View {
    // The turn may not be over: what is built now would be out of date at its end.
    if (this.#changes.arePending) return this.#build()
    this.#built ??= { view: this.#build() }
    return this.#built.view
  }

  /** Delivers the whole view at once and after every change; returns the undo. */
  subscribe(listener: (view: View) => void): () => void {
    const undo = this.#changes.subscribe(() => listener(this.view))
    listener(this.view)
    return undo
  }
}
