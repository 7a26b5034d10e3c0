import { describe, expect, test } from 'vitest'
import { LIMITS, limitedTo, roomForConnections } from './limits.ts'

const HEAD = 'Limit                     Soft Limit           Hard Limit           Units     \n'
const limits = (soft: string) => () =>
  `${HEAD}Max processes             7823                 7823                 processes \nMax open files            ${soft.padEnd(20)} 1048576              files     \n`

describe('the connections that a process can have', () => {
  test.each([
    ['1024', 768],
    ['300', 75],
    ['unlimited', Number.POSITIVE_INFINITY],
  ])('on Linux: %s open files leave room for %s connections', (soft, room) => {
    expect(roomForConnections('linux', limits(soft))).toBe(room)
  })

  test('are 128 if, as on macOS, the limit can’t be read, and unlimited on Windows', () => {
    expect(roomForConnections('linux', () => 'Max open files')).toBe(128)
    expect(roomForConnections('darwin', limits('8192'))).toBe(128)
    expect(roomForConnections('win32', limits('64'))).toBe(Number.POSITIVE_INFINITY)
  })
})

test.each([1_087, 75])('the limits are lowered to fit a process with room for %i connections', (room) => {
  const { connections, refusals, waiters } = limitedTo(LIMITS, room)
  expect(connections + refusals).toBeLessThanOrEqual(room)
  expect(connections).toBeGreaterThanOrEqual(Math.floor(room * 0.9))
  expect(refusals).toBeGreaterThan(0)
  // At least half of the connections are left to tools that don't wait.
  expect(waiters).toBeLessThanOrEqual(connections / 2)
})
