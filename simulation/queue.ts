interface Entry {
  readonly time: number
  /** If several entries have the same time, the one with the lowest number runs first. */
  readonly number: number
  action: (() => void) | undefined
}

/**
 * Resolves when no promise reaction is pending. Called in a promise reaction, it queues a callback that Node runs after
 * all other reactions (Node: process.nextTick). setImmediate would take twelve times as long.
 */
const settle = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** The simulated time of a fleet, in milliseconds, and the actions to run, in a binary heap. */
export class EventQueue {
  readonly #heap: Entry[] = []
  #count = 0
  #now = 0

  get now(): number {
    return this.#now
  }

  /** Calls `action` at `time`, or now if that time has passed. Returns a function that cancels the call. */
  at(time: number, action: () => void): () => void {
    const entry: Entry = { time: Math.max(time, this.#now), number: this.#count++, action }
    this.#heap.push(entry)
    this.#rise(this.#heap.length - 1)
    // A cancelled action stays in the heap, and is skipped at its time.
    return () => {
      entry.action = undefined
    }
  }

  /** Runs what is due before `end`. Promises that an action starts settle before time advances. */
  async run(end: number): Promise<void> {
    // `settle` only works within a promise reaction, and this `await` starts one.
    await undefined
    for (let next = this.#heap[0]; next !== undefined && next.time < end; next = this.#heap[0]) {
      this.#removeFirst()
      const { action } = next
      if (action === undefined) continue
      this.#now = next.time
      action()
      await settle()
    }
    this.#now = end
  }

  #rise(from: number): void {
    const entry = this.#heap[from] as Entry
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.#heap[above] as Entry
      if (isBefore(parent, entry)) break
      this.#heap[index] = parent
      index = above
    }
    this.#heap[index] = entry
  }

  #removeFirst(): void {
    const last = this.#heap.pop() as Entry
    const { length } = this.#heap
    if (length === 0) return
    let index = 0
    for (let below = 1; below < length; below = 2 * index + 1) {
      const right = this.#heap[below + 1]
      if (right !== undefined && isBefore(right, this.#heap[below] as Entry)) below += 1
      const child = this.#heap[below] as Entry
      if (isBefore(last, child)) break
      this.#heap[index] = child
      index = below
    }
    this.#heap[index] = last
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.time < other.time || (one.time === other.time && one.number < other.number)
