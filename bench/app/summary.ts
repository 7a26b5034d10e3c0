/** The figures as they are printed and kept. */
import { columns } from '../report.ts'
import { ratioOf, type Spread, spreadOf } from '../statistics.ts'
import type { Figure } from './rounds.ts'

/** With the quartiles around each median. A ratio is taken within each round. */
export interface Row {
  readonly name: string
  readonly unit: Figure['unit']
  readonly ours: Spread
  readonly floor: Spread
  readonly ratio: Spread
  readonly most: number
  readonly isReached: boolean
}

/** A size, which has nothing to be compared with: bytes. */
export interface Size {
  readonly name: string
  readonly bytes: number
  readonly most: number
}

export const rowOf = ({ name, unit, ours: taken, floor: beside, most, isNoise }: Figure): Row => {
  const [ours, floor, ratio] = [spreadOf(taken), spreadOf(beside), ratioOf(taken, beside)]
  // Within noise: no more than what the floor itself comes to in one round of four.
  const isWithinNoise = isNoise === true && ours.median <= floor.high * most
  return { name, unit, ours, floor, ratio, most, isReached: ratio.median <= most || isWithinNoise }
}

export function table(rows: readonly Row[], sizes: readonly Size[]): string {
  return columns([
    ['', 'Latchkey', 'floor', 'ratio', 'at most', ''],
    ...rows.map(({ name, unit, ours, floor, ratio, most, isReached }) => [
      name,
      ...[ours, floor].map((spread) => `${spelt(spread)} ${unit}`.trim()),
      spelt(ratio, 2),
      most.toFixed(2),
      said(isReached),
    ]),
    ...sizes.map(({ name, bytes, most }) => [name, kB(bytes), '', '', kB(most), said(bytes <= most)]),
  ])
}

const said = (isReached: boolean) => (isReached ? 'reached' : 'MISSED')
const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`

/** Three figures, unless told otherwise. */
function spelt({ median, low, high }: Spread, digits = Math.max(0, 2 - Math.floor(Math.log10(median || 1)))): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}
