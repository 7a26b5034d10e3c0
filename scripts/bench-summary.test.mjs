import { expect, it } from 'vitest'
import { rowOf, table } from '../bench/app/summary.ts'

const figure = { name: 'a figure', unit: /** @type {const} */ ('ms'), most: 1.1 }

it('a limit is reached by the median of the ratios', () => {
  const floor = [100, 200, 100]
  expect(rowOf({ ...figure, ours: [110, 220, 150], floor })).toMatchObject({ isReached: true, ratio: { median: 1.1 } })
  expect(rowOf({ ...figure, ours: [112, 150, 112], floor }).isReached).toBe(false)
})

it('what may be noise is no more than the floor itself comes to in one round of four', () => {
  const noisy = { ...figure, most: 1, isNoise: /** @type {const} */ (true) }
  const floor = [10, 12, 14, 16, 18]
  expect(rowOf({ ...noisy, ours: [16, 16, 16, 16, 16], floor }).isReached).toBe(true)
  expect(rowOf({ ...noisy, ours: [17, 17, 17, 17, 17], floor }).isReached).toBe(false)
  // Few good rounds among many bad ones are none.
  expect(rowOf({ ...noisy, ours: [1, 1, 40, 40, 40], floor }).isReached).toBe(false)
})

it('what is missed is said so, sizes too', () => {
  const rows = [rowOf({ ...figure, ours: [1], floor: [1] }), rowOf({ ...figure, ours: [2], floor: [1] })]
  const lines = table(rows, [{ name: 'asar', bytes: 3_000_001, most: 3_000_000 }]).split('\n')
  expect(lines.map((line) => /reached|MISSED/.exec(line)?.[0])).toEqual([undefined, 'reached', 'MISSED', 'MISSED'])
})
