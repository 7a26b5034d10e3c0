import { type SessionEvent, type SessionState, transition } from './state.ts'

/** The state and its listeners. */
export class PublishedState {
  readonly #listeners = new Set<(state: SessionState) => void>()
  #now: SessionState = { kind: 'restoring' }

  get now(): SessionState {
    return this.#now
  }

  /** Delivers the present state at once and each new one; returns the undo. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#now)
    return () => this.#listeners.delete(listener)
  }

  dispatch(event: SessionEvent): void {
    const next = transition(this.#now, event)
    if (next === this.#now) return
    this.#now = next
    for (const listener of this.#listeners) {
      // A listener may have moved it on.
      if (this.#now === next) tell(listener, next)
    }
  }

  /** Nobody is told any more. */
  close(): void {
    this.#listeners.clear()
  }
}

/** A listener that throws holds up nobody: its bug is thrown again where nothing of the engine is under way. */
function tell(listener: (state: SessionState) => void, state: SessionState): void {
  try {
    listener(state)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
