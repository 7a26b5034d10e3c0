import { beforeEach, expect, it } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from './clock.ts'
import { Retry } from './retry.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

let time: ManualTime
let clock: DeadlineClock
let attempts: number
let retry: Retry
let closing: AbortController

beforeEach(() => {
  time = new ManualTime()
  clock = new DeadlineClock(time.process())
  attempts = 0
  const attempt = () => {
    attempts += 1
  }
  closing = new AbortController()
  retry = new Retry({ clock, random: () => 1, capMs: 5 * SECOND, signal: closing.signal, attempt })
})

async function untilNext(): Promise<number> {
  retry.begin()
  retry.failed()
  const before = attempts
  for (let passed = 0; passed <= 2 * MINUTE; passed += SECOND) {
    if (attempts > before) return passed
    await time.passSettling(SECOND)
  }
  throw new Error('there is no next attempt')
}

it('the delay grows with each failure up to its limit, and is short again after a success', async () => {
  const delays = []
  for (let failures = 0; failures < 5; failures += 1) delays.push(await untilNext())
  expect(delays).toEqual([1, 2, 4, 5, 5].map((seconds) => seconds * SECOND))
  retry.succeeded()
  expect(await untilNext()).toBe(SECOND)
})

it('after an abort, no attempt is made', async () => {
  retry.failed()
  closing.abort()
  retry.failed()
  retry.wake()
  await time.passSettling(MINUTE)
  expect(attempts).toBe(0)
})
