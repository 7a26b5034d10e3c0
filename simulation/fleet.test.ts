import { expect, it, vi } from 'vitest'
import { runFleet } from './fleet.ts'
import { figuresOf } from './table.ts'
import { ONE_DAY, SECOND } from './week.ts'

// A day of several hundred desktops takes some seconds to simulate.
vi.setConfig({ testTimeout: 180_000 })

const day = (client: 'latchkey' | 'naive', lostPercent: number, grace: number) =>
  runFleet({ client, schedule: ONE_DAY, desktops: 200, grace, lostPercent })

it('outages and sleep end no session, and the peak is far lower than with fixed retries', async () => {
  const latchkey = await day('latchkey', 0, 0)
  const naive = await day('naive', 0, 0)
  expect([latchkey.sessionsLost, latchkey.neverBack, naive.neverBack]).toEqual([0, 0, 0])
  expect(latchkey.withoutToken).toBeGreaterThan(5)
  const { peakAfterOutage, mean } = figuresOf(latchkey.load, ONE_DAY)
  expect(peakAfterOutage).toBeLessThan(60 * mean)
  expect(figuresOf(naive.load, ONE_DAY).peakAfterOutage).toBeGreaterThan(5 * peakAfterOutage)
  expect(latchkey.lastBack).toBeLessThan(6 * 60 * SECOND)
})

// After each failed attempt, a client waits longer. So after a reply that is lost right after an outage, several
// minutes may pass before the next attempt.
it('with a grace period of 30 s, lost replies end no session, and without it, each of them ends one', async () => {
  const { sessionsLost, neverBack, repliesLost } = await day('latchkey', 10, 30 * SECOND)
  expect(repliesLost).toBeGreaterThan(100)
  expect({ sessionsLost, neverBack }).toEqual({ sessionsLost: 0, neverBack: 0 })
  const strict = await day('latchkey', 1, 0)
  expect(strict.repliesLost).toBeGreaterThan(5)
  expect([strict.sessionsLost, strict.endedByLoss]).toEqual([strict.repliesLost, strict.repliesLost])
})
