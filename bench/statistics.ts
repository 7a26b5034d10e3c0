/** The value below which this share of the samples lies. */
export function quantile(samples: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort()
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]
  const above = sorted[Math.ceil(at)]
  if (below === undefined || above === undefined) throw new Error('no samples')
  return below + (above - below) * (at - Math.floor(at))
}

export const median = (samples: Iterable<number>): number => quantile(samples, 0.5)

/** The median of what several rounds gave, and the quartiles around it. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export const spreadOf = (rounds: readonly number[]): Spread => ({
  median: median(rounds),
  low: quantile(rounds, 0.25),
  high: quantile(rounds, 0.75),
})

/** Round by round, so that what slows a whole round down counts on both sides. */
export const ratioOf = (rounds: readonly number[], floor: readonly number[]): Spread =>
  spreadOf(rounds.map((value, round) => value / (floor[round] ?? Number.NaN)))
