/** Compares the figures with their limits, and prints a table. */
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

export interface Row {
  readonly what: string
  readonly latchkey: string
  readonly bare: string
  readonly ratio: string
  readonly limit: string
  readonly isOver: boolean
}

export function rowOf(figure: Figure): Row {
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

export function table(rows: readonly Row[]): string {
  const lines = [
    ['', 'Latchkey', 'bare', 'ratio', 'limit', ''],
    ...rows.map(({ what, latchkey, bare, ratio, limit, isOver }) => [
      ...[what, latchkey, bare, ratio, limit],
      isOver ? 'OVER' : 'ok',
    ]),
  ]
  const widths = ['', '', '', '', '', ''].map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const pad = (cell: string, at: number) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}

const threeDigits = (value: number) => value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(value || 1))))
