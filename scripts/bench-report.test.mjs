import { expect, it } from 'vitest'
import { rowOf, table } from '../bench/report.ts'

const figure = { name: 'a-figure', what: 'a figure', unit: /** @type {const} */ ('ms'), limit: 1.1 }
const bare = [100, 200, 100]

it('the ratio of the medians must be within the limit; single rounds may exceed it', () => {
  expect(rowOf({ ...figure, latchkey: [110, 900, 90], bare })).toMatchObject({
    ratio: '1.10 (1.00–2.80)',
    isOver: false,
  })
  expect(rowOf({ ...figure, latchkey: [112, 150, 112], bare }).isOver).toBe(true)
})

it('a duration with an absolute limit must be within that limit, however long the other program takes', () => {
  const timing = { name: 'python', what: 'a token in Python', limitMs: 1, bare: [5] }
  expect(rowOf({ ...timing, latchkey: [0.9, 1, 4] })).toMatchObject({
    latchkey: '1.00 ms',
    limit: '1 ms',
    isOver: false,
  })
  expect(rowOf({ ...timing, latchkey: [1.1] }).isOver).toBe(true)
})

it('a count must be within its limit', () => {
  const count = { name: 'refused', what: 'refused', limit: 0 }
  expect([0, 1].map((counted) => rowOf({ ...count, counted }).isOver)).toEqual([false, true])
})

it('the table says which budget is exceeded', () => {
  const rows = [
    rowOf({ ...figure, latchkey: [1], bare: [1] }),
    rowOf({ ...figure, latchkey: [2], bare: [1] }),
    rowOf({ name: 'refresh', what: 'refreshes', limit: 1, counted: 2 }),
  ]
  expect(table(rows).match(/(ok|OVER)$/gm)).toEqual(['ok', 'OVER', 'OVER'])
})
