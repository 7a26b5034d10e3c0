import { Listeners } from '../base/listeners.ts'
import { type SessionEvent, type SessionState, transition } from './state.ts'

export class PublishedState {
  readonly #listeners = new Listeners<SessionState>()
  #now: SessionState = { kind: 'restoring' }

  get now(): SessionState {
    return this.#now
  }

  /** Calls the listener at once and after every change. Returns a function that removes it. */
  subscribe(listener: (state: SessionState) => void): () => void {
    const undo = this.#listeners.subscribe((state) => {
      // If an earlier listener changed the state, this listener has already received the newer state.
      if (this.#now === state) listener(state)
    })
    listener(this.#now)
    return undo
  }

  dispatch(event: SessionEvent): void {
    const next = transition(this.#now, event)
    if (next === this.#now) return
    this.#now = next
    this.#listeners.tell(next)
  }

  close(): void {
    this.#listeners.clear()
  }
}
