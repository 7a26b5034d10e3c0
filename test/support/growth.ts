/** How the processor time of work grows with its size. The time on the wall clock also depends on other programs. */

/** Work that takes less processor time than this is too short to compare, and does no harm. */
const NEGLIGIBLE_MS = 50

const TRIES = 5

/** How much longer the longer text is. With a factor of 8, no garbage collection makes linear work look quadratic. */
const LONGER = 8

/** The limit for `growth`: between 8, for linear work, and 64, for quadratic work. */
export const LINEAR = 24

/** The least processor time of several runs, in milliseconds: the first may include compilation. */
function processorTime(work: () => unknown, negligible = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= negligible; tries++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** How many times as much time the whole size takes as an eighth of it: about 8 if linear or less than 50 ms. */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const whole = processorTime(work(size), NEGLIGIBLE_MS)
  return whole < NEGLIGIBLE_MS ? LONGER : whole / processorTime(work(size / LONGER))
}
