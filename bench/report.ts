/** Compares the figures with their limits. */
import { median, ratioOf } from './statistics.ts'

/**
 * One figure of Latchkey and one of the bare program for each round. `limit` is the highest allowed ratio of the two.
 */
interface Comparison {
  readonly name: string
  readonly what: string
  readonly unit: 'ms' | 'MB' | ''
  readonly limit: number
  readonly latchkey: readonly number[]
  readonly bare: readonly number[]
}

/** A figure that counts something, such as requests. `limit` is the highest allowed count. */
interface Count {
  readonly name: string
  readonly what: string
  readonly limit: number
  readonly counted: number
}

export type Figure = Comparison | Count

export function rowOf(figure: Figure) {
  const { what } = figure
  if ('counted' in figure) {
    const { counted, limit } = figure
    return { what, latchkey: String(counted), bare: '', ratio: '', limit: String(limit), isOver: counted > limit }
  }
  const { latchkey, bare, unit, limit } = figure
  const { ratio, low, high } = ratioOf(latchkey, bare)
  const shown = (rounds: readonly number[]) => `${threeDigits(median(rounds))} ${unit}`.trim()
  return {
    ...{ what, latchkey: shown(latchkey), bare: shown(bare) },
    ratio: `${ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`,
    limit: limit.toFixed(2),
    isOver: ratio > limit,
  }
}

const threeDigits = (value: number) => value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(value || 1))))
