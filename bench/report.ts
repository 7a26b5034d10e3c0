/** One figure of Latchkey and one of the bare program for each round. `limit` is the highest allowed ratio of the two. */
interface Comparison {
  readonly name: string
  readonly what: string
  readonly unit: 'ms' | 'MB' | ''
  readonly limit: number
  readonly latchkey: readonly number[]
  readonly bare: readonly number[]
}

/** A figure that counts something, such as requests. `limit` is the highest allowed count. */
type Count = Pick<Comparison, 'name' | 'what' | 'limit'> & { readonly counted: number }

export type Figure = Comparison | Count

/** Every second round runs in reverse order, so that no program always comes first. The first is a warm-up. */
export async function interleave<Side extends string, Value>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Value>>>,
): Promise<Readonly<Record<Side, readonly Value[]>>> {
  const names = Object.keys(sides) as Side[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Side, Value[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]()
      if (round > 0) taken[name].push(value)
    }
  }
  return taken
}

export function quantile(samples: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort()
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]
  const above = sorted[Math.ceil(at)]
  if (below === undefined || above === undefined) throw new Error('no samples')
  return below + (above - below) * (at - Math.floor(at))
}

export const median = (samples: Iterable<number>): number => quantile(samples, 0.5)

export function rowOf(figure: Figure) {
  const { what, limit } = figure
  if ('counted' in figure) {
    const { counted } = figure
    return { what, latchkey: String(counted), bare: '', ratio: '', limit: String(limit), isOver: counted > limit }
  }
  const { latchkey, bare, unit } = figure
  const ratio = median(latchkey) / median(bare)
  const ratios = latchkey.map((value, round) => value / (bare[round] ?? Number.NaN))
  const shown = (rounds: readonly number[]) => `${threeDigits(median(rounds))} ${unit}`.trim()
  return {
    what,
    latchkey: shown(latchkey),
    bare: shown(bare),
    ratio: `${ratio.toFixed(2)} (${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)})`,
    limit: limit.toFixed(2),
    isOver: ratio > limit,
  }
}

const threeDigits = (value: number) => value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(value || 1))))
