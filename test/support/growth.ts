/** How the processor time of work grows with its size. The time on the wall clock also depends on other programs. */

/** Work that takes less processor time than this is too short to compare, and does no harm. */
const NEGLIGIBLE_MS = 50

const TRIES = 5
const ROUNDS = 3

/** The limit for `growth`. Because of caches and garbage collection, the factor of linear work can exceed 2. */
export const LINEAR = 3

/**
 * The least processor time of several runs, in milliseconds: the first may include compilation, others garbage
 * collection. @param enough A run that takes less than this is the last one.
 */
export function processorTime(work: () => unknown, enough = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= enough; tries++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/**
 * How many times as much processor time the work takes for twice the size: about 2 if it is linear, about 4 if it is
 * quadratic. If the work takes less than 50 ms even for twice the size, it is treated as linear.
 */
export function growth(work: (size: number) => () => unknown, size: number): number {
  let least = Number.POSITIVE_INFINITY
  // Another program that uses the processor's cache slows down one measurement, but not all.
  for (let round = 0; round < ROUNDS && least >= LINEAR; round++) {
    const twice = processorTime(work(2 * size), NEGLIGIBLE_MS)
    least = Math.min(least, twice < NEGLIGIBLE_MS ? 2 : twice / processorTime(work(size)))
  }
  return least
}
