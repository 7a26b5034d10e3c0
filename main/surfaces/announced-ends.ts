import * as v from 'valibot'
import type { Remembered } from '../base/key-value-store.ts'

/** Two expected ends that differ by less than this belong to the same session. */
const SAME_END_MS = 10 * 60_000

const stored = v.fallback(v.record(v.string(), v.pipe(v.number(), v.finite())), {})

/** Remembers of which ends of sessions the user has been warned, even after a restart. */
export class AnnouncedEnds {
  readonly #stored: Remembered<Readonly<Record<string, number>>>
  /** The connection whose warning is on screen. For it, `isTold` returns false, so that the warning stays. */
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
