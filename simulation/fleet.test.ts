import { describe, expect, it, vi } from 'vitest'
import { type FleetOptions, runFleet } from './fleet.ts'
import { figuresOf } from './load.ts'
import { EventQueue } from './queue.ts'
import { ONE_DAY, SECOND } from './week.ts'

// A day of several hundred desktops takes some seconds to simulate.
vi.setConfig({ testTimeout: 60_000 })

const day = (options?: Partial<FleetOptions>) =>
  runFleet({
    client: 'latchkey',
    schedule: ONE_DAY,
    from: 0,
    to: 100,
    grace: 30 * SECOND,
    lostPercent: 1,
    ...options,
  })

describe('a day of some hundred desktops', () => {
  it('outages and sleep end no session, and the peak is far lower than with fixed retries', async () => {
    const fleet = { to: 200, lostPercent: 0, grace: 0 }
    const latchkey = await day(fleet)
    const naive = await day({ ...fleet, client: 'naive' })
    expect([latchkey.sessionsLost, latchkey.neverBack, naive.neverBack]).toEqual([0, 0, 0])
    expect(latchkey.withoutToken).toBeGreaterThan(5)
    const { peakAfterOutage, mean } = figuresOf(latchkey.load, ONE_DAY)
    expect(peakAfterOutage).toBeLessThan(60 * mean)
    expect(figuresOf(naive.load, ONE_DAY).peakAfterOutage).toBeGreaterThan(5 * peakAfterOutage)
    expect(latchkey.lastBack).toBeLessThan(6 * 60 * SECOND)
  })

  it('without a grace period, only a lost reply ends a session', async () => {
    const { sessionsLost, ended, endedByLoss, hitByLoss } = await day({ grace: 0 })
    expect(hitByLoss).toBeGreaterThan(5)
    expect({ sessionsLost, ended, endedByLoss }).toEqual({
      sessionsLost: hitByLoss,
      ended: hitByLoss,
      endedByLoss: hitByLoss,
    })
  })

  // After each failed attempt, a client waits longer. So after a reply that is lost right after an outage, several
  // minutes may pass before the next attempt.
  it('with a grace period of 30 s, lost replies end no session, even right after an outage', async () => {
    const { sessionsLost, neverBack, repliesLost } = await day({ lostPercent: 10 })
    expect(repliesLost).toBeGreaterThan(100)
    expect({ sessionsLost, neverBack }).toEqual({ sessionsLost: 0, neverBack: 0 })
  })

  it('computers that can’t reach the service at the end are counted', async () => {
    const { neverBack } = await day({ schedule: { ...ONE_DAY, end: ONE_DAY.outage.to }, to: 20 })
    expect(neverBack).toBeGreaterThan(0)
  })
})

describe('the simulated time', () => {
  it('events run in order, and promises settle before the time advances', async () => {
    const queue = new EventQueue()
    const log: string[] = []
    const note = (name: string) => () => log.push(`${name} at ${queue.now}`)
    queue.at(20, note('late'))
    queue.at(10, async () => {
      for (let turn = 0; turn < 50; turn++) await undefined
      queue.at(15, note('promised'))
      log.push(`settled at ${queue.now}`)
    })
    queue.at(12, note('cancelled'))()
    queue.at(10, note('second'))
    queue.at(30, note('beyond'))
    await queue.run(30)
    expect(log).toEqual(['settled at 10', 'second at 10', 'promised at 15', 'late at 20'])
  })

  it('the earliest event runs first, in whatever order events are added', async () => {
    const queue = new EventQueue()
    const seen: number[] = []
    const times = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1009)
    for (const time of times) queue.at(time, () => seen.push(time))
    await queue.run(2000)
    expect(seen).toEqual([...times].sort((a, b) => a - b))
  })
})
