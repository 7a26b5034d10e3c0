import { beforeEach, expect, test } from 'vitest'
import { OpenLimit } from './open-limit.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let now: number
let limit: OpenLimit

beforeEach(() => {
  now = 0
  limit = new OpenLimit(() => now)
})

/** The times at which pages are opened if a page is requested this often. */
function loop(everyMs: number, forMs: number): number[] {
  const opened: number[] = []
  for (const end = now + forMs; now < end; now += everyMs) if (limit.take() === 0) opened.push(now)
  return opened
}

test('SECURITY: if a page keeps asking for new tabs, fewer and fewer are opened', () => {
  expect(loop(100, MINUTE).map((at) => at / SECOND)).toEqual([0, 1, 3, 7, 15, 31])
  loop(100, 10 * MINUTE)
  expect(loop(100, HOUR)).toHaveLength(12)
})

test('SECURITY: a page can’t avoid the limit of tabs by waiting between its requests', () => {
  for (const everyMs of [SECOND, 30 * SECOND, MINUTE, 5 * MINUTE]) {
    limit = new OpenLimit(() => now)
    loop(everyMs, HOUR)
    expect(loop(everyMs, HOUR).length).toBeLessThanOrEqual(12)
  }
})

test('after ten minutes in which nothing was opened, the next pause is short again', () => {
  const [last = 0] = loop(100, MINUTE).slice(-1)
  now = last + 10 * MINUTE
  expect(limit.take()).toBe(0)
  now += SECOND
  expect(limit.take()).toBe(0)
})

test('until the next page may be opened, `take` returns the remaining time', () => {
  expect(limit.take()).toBe(0)
  now += 300
  expect(limit.take()).toBe(700)
  now += 700
  expect(limit.take()).toBe(0)
  expect(limit.take()).toBe(2 * SECOND)
})
