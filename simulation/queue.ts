interface Entry {
  readonly time: number
  readonly action: () => void
}

/** Queued in a promise reaction, nextTick runs after all others. setImmediate would take twelve times as long. */
const settle = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Entries are kept by slices of this many milliseconds: the earliest is looked for only among those of one slice. */
const SLICE = 10

/** The simulated time of a fleet, in milliseconds, and the actions to run. */
export class EventQueue {
  readonly #slices = new Map<number, Set<Entry>>()
  now = 0

  /** Calls `action` at `time`, or now if that time has passed. Returns a function that cancels the call. */
  at(time: number, action: () => void): () => void {
    const entry = { time: Math.max(time, this.now), action }
    const slice = Math.floor(entry.time / SLICE)
    const due = this.#slices.get(slice) ?? new Set()
    this.#slices.set(slice, due.add(entry))
    return () => void due.delete(entry)
  }

  /** Runs what is due before `end`, a whole slice. Promises that an action starts settle before time advances. */
  async run(end: number): Promise<void> {
    // `settle` only works within a promise reaction, and this `await` starts one.
    await undefined
    for (let slice = 0; slice < end / SLICE; slice++) {
      const due = this.#slices.get(slice)
      while (due?.size) {
        // Of several entries with the same time, the first one added comes first.
        const next = [...due].reduce((first, each) => (each.time < first.time ? each : first))
        due.delete(next)
        this.now = next.time
        next.action()
        await settle()
      }
      this.#slices.delete(slice)
    }
  }
}
