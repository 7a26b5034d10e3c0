import type { SignInNeed, ToolName } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { PacedListeners } from './paced-listeners.ts'
import { type ToolId, toolName } from './usage.ts'

/** One connection's tools that need the user to sign in. */
interface Needs {
  /** The tools that wait, in the order in which they began, and how many requests of each wait. */
  readonly waiting: Map<string, { readonly tool: ToolName; count: number }>
  /** The first tool that waited or asked in vain since the session ended. */
  asked?: ToolName | undefined
}

/** The tools that need a sign-in, by connection. Contains only names, and is only in memory. */
export class SignInNeeds {
  readonly #needs = new Map<string, Needs>()
  readonly #listeners: PacedListeners
  /** Calls the listener at most once a second. Returns a function that removes it. */
  readonly subscribe: PacedListeners['subscribe']

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#listeners = new PacedListeners(clock)
    this.subscribe = this.#listeners.subscribe
  }

  list(): readonly SignInNeed[] {
    return [...this.#needs].flatMap(([connection, needs]) => {
      const waiting = [...needs.waiting.values()].map(({ tool }) => tool)
      const first = needs.asked ?? waiting[0]
      return first === undefined ? [] : [{ connection, first, waiting }]
    })
  }

  /** Call this when a tool begins to wait. Returns a function to call when it no longer waits. */
  hold(connection: string, id: ToolId): () => void {
    const tool = nameOf(id)
    const { waiting } = this.#noted(connection, tool)
    const key = JSON.stringify(tool)
    const entry = waiting.get(key) ?? { tool, count: 0 }
    entry.count += 1
    if (entry.count === 1) {
      waiting.set(key, entry)
      this.#listeners.tellSoon()
    }
    return () => {
      entry.count -= 1
      if (entry.count > 0) return
      waiting.delete(key)
      this.#listeners.tellSoon()
    }
  }

  /** Call this when a tool that doesn't wait got no token, because nobody is signed in. */
  note(connection: string, id: ToolId): void {
    if (this.#needs.get(connection)?.asked === undefined) this.#noted(connection, nameOf(id))
  }

  /** Forgets who asked before. Tools that still wait are not forgotten. */
  clear(connection: string): void {
    const needs = this.#needs.get(connection)
    if (needs?.asked === undefined) return
    needs.asked = undefined
    this.#listeners.tellSoon()
  }

  #noted(connection: string, tool: ToolName): Needs {
    const needs: Needs = this.#needs.get(connection) ?? { waiting: new Map() }
    this.#needs.set(connection, needs)
    if (needs.asked === undefined) {
      needs.asked = tool
      this.#listeners.tellSoon()
    }
    return needs
  }
}

const nameOf = ({ userAgent, host }: ToolId): ToolName => ({
  name: toolName(userAgent),
  ...(host === undefined ? {} : { host }),
})
