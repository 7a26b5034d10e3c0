/** How the processor time of work grows with its size. The time on the wall clock also depends on other programs. */

/** Work that takes less processor time than this is too short to compare, and does no harm. */
const NEGLIGIBLE_MS = 50

const TRIES = 5

/** The limit for `growth`. Because of caches and garbage collection, the factor of linear work can exceed 2. */
export const LINEAR = 3

/** The least processor time of several runs, in milliseconds: the first may include compilation. */
function processorTime(work: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

/** How many times as much time twice the size takes: 2 if linear or less than 50 ms, about 4 if quadratic. */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const twice = processorTime(work(2 * size))
  return twice < NEGLIGIBLE_MS ? 2 : twice / processorTime(work(size))
}
