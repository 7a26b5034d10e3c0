const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
/**
 * If nothing was opened for this long, the pauses start over. This time is longer than any pause, so the pauses never
 * start over while Latchkey's own page keeps asking.
 */
const FORGOTTEN_AFTER_MS = 2 * LONGEST_PAUSE_MS

/**
 * Limits how often Latchkey opens another program: the browser or the file manager. The pause before the next opening
 * doubles each time, up to a limit, and is short again after a while without an opening. SECURITY: Latchkey's own page
 * is untrusted: it can ask for the browser, but can't flood the user with tabs.
 */
export class OpenLimit {
  readonly #now: () => number
  #opened = 0
  #last = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Returns the milliseconds until the program may be opened. If it may be opened now, returns 0 and counts it as
   * opened.
   */
  take(): number {
    const now = this.#now()
    if (now - this.#last >= FORGOTTEN_AFTER_MS) this.#opened = 0
    const pause = this.#opened === 0 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** (this.#opened - 1), LONGEST_PAUSE_MS)
    const left = this.#last + pause - now
    if (left > 0) return left
    this.#opened += 1
    this.#last = now
    return 0
  }
}
