import * as v from 'valibot'
import type { Remembered } from '../base/key-value-store.ts'

/**
 * A session's expected end moves by seconds. If the ends of two sessions differ by more than this, they are different
 * sessions.
 */
const SAME_END_MS = 10 * 60_000

const stored = v.fallback(v.record(v.string(), v.pipe(v.number(), v.finite())), {})

/**
 * Remembers the ends of sessions of which the user has been warned, so that each warning comes only once, even after a
 * restart.
 */
export class AnnouncedEnds {
  readonly #stored: Remembered<Readonly<Record<string, number>>>
  /** The connection whose notice is on screen. Its notice stays there, although the user has been told. */
  #shown: string | undefined

  constructor(remembered: Remembered<Readonly<Record<string, number>>>) {
    this.#stored = remembered
  }

  isTold(connection: string, end: number): boolean {
    if (this.#shown === connection) return false
    const told = new Map(Object.entries(v.parse(stored, this.#stored.get()))).get(connection)
    return told !== undefined && Math.abs(told - end) <= SAME_END_MS
  }

  shown(connection: string, end: number): void {
    this.#shown = connection
    this.#stored.set({ ...v.parse(stored, this.#stored.get()), [connection]: end })
  }

  gone(connection: string | undefined): void {
    if (this.#shown === connection) this.#shown = undefined
  }
}
