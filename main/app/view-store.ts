import type { AppView } from '../../contract/views.ts'
import { Listeners } from '../base/listeners.ts'

/** Collects changes, and calls the listeners once at the end of a turn of the event loop. */
export class Changes {
  readonly #listeners = new Listeners()
  #count = 0

  /** Call this after a change, never before it: a view that is built in between would stay outdated. */
  readonly changed = (): void => {
    this.#count += 1
    this.#listeners.tellLater()
  }

  get count(): number {
    return this.#count
  }

  readonly subscribe = this.#listeners.subscribe
}

/** The view that all surfaces show. After a change, it is built once for all of them. */
export class ViewStore {
  readonly #build: () => AppView
  readonly #changes: Changes
  #built: { readonly view: AppView; readonly count: number } | undefined

  constructor(build: () => AppView, changes: Changes) {
    this.#build = build
    this.#changes = changes
  }

  get view(): AppView {
    const { count } = this.#changes
    if (this.#built?.count !== count) this.#built = { view: this.#build(), count }
    return this.#built.view
  }

  /** Delivers the whole view immediately and after every change. Returns a function that removes the listener. */
  subscribe(listener: (view: AppView) => void): () => void {
    const undo = this.#changes.subscribe(() => listener(this.view))
    listener(this.view)
    return undo
  }
}
