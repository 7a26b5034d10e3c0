import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { painted } from './painted.ts'

/** As when the page is painted. */
let paint: () => void
const observed: unknown[] = []
const disconnect = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      readonly disconnect = disconnect
      constructor(callback: () => void) {
        paint = callback
      }
      observe(options: unknown) {
        observed.push(options)
      }
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('is told with the first paint, also of one that has been', async () => {
  const told = vi.fn()
  void painted().then(told)
  await vi.advanceTimersByTimeAsync(400)
  expect(told).not.toHaveBeenCalled()
  paint()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toHaveBeenCalled()
  expect(observed).toEqual([{ type: 'paint', buffered: true }])
  expect(disconnect).toHaveBeenCalled()
})

test('a window that nobody sees is waited for no longer than half a second', async () => {
  const told = vi.fn()
  void painted().then(told)
  await vi.advanceTimersByTimeAsync(499)
  expect(told).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(told).toHaveBeenCalled()
})
