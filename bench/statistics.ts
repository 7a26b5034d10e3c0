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

interface Ratio {
  readonly ratio: number
  /** First and third quartile of the rounds' ratios. */
  readonly low: number
  readonly high: number
}

export function ratioOf(ours: readonly number[], bare: readonly number[]): Ratio {
  const rounds = ours.map((value, round) => value / (bare[round] ?? Number.NaN))
  return { ratio: median(ours) / median(bare), low: quantile(rounds, 0.25), high: quantile(rounds, 0.75) }
}
