import { describe, expect, test } from 'vitest'
import { LIMITS, limitedTo, roomForConnections } from './limits.ts'

const HEAD = 'Limit                     Soft Limit           Hard Limit           Units     \n'
const limits = (soft: string) => () =>
  `${HEAD}Max processes             7823                 7823                 processes \nMax open files            ${soft.padEnd(20)} 1048576              files     \n`
const fitted = (room: number) => {
  const { connections, refusals } = limitedTo(LIMITS, room)
  return [connections, refusals]
}

describe('the connections that a process can have', () => {
  test.each([
    ['1024', 768],
    ['8192', 7_936],
    ['300', 75],
    ['unlimited', Number.POSITIVE_INFINITY],
  ])('on Linux: %s open files leave room for %s connections', (soft, room) => {
    expect(roomForConnections('linux', limits(soft))).toBe(room)
  })

  test.each([undefined, '', 'Max open files'])('are 128 if, as on macOS, the limit can’t be read: %j', (text) => {
    expect(roomForConnections('linux', () => text)).toBe(128)
    expect(roomForConnections('darwin', limits('8192'))).toBe(128)
  })

  test('are unlimited on Windows', () => {
    expect(roomForConnections('win32', limits('64'))).toBe(Number.POSITIVE_INFINITY)
  })
})

test('the limits stay as they are if the process has room for all the connections that they allow', () => {
  expect(limitedTo(LIMITS, 1_088)).toBe(LIMITS)
})

test.each([1_087, 768, 128, 75])('the limits are lowered to fit a process with room for %i connections', (room) => {
  const [connections = 0, refusals = 0] = fitted(room)
  expect(connections + refusals).toBeLessThanOrEqual(room)
  expect(connections).toBeGreaterThanOrEqual(Math.floor(room * 0.9))
  expect(refusals).toBeGreaterThan(0)
  // At least half of the connections are left to tools that don't wait.
  expect(limitedTo(LIMITS, room).waiters).toBeLessThanOrEqual(connections / 2)
})
