import { describe, expect, it, vi } from 'vitest'
import { type FleetOptions, runFleet } from './fleet.ts'
import { figuresOf } from './load.ts'
import { EventQueue } from './queue.ts'
import { ONE_DAY, SECOND } from './week.ts'

// Simulating one day of several hundred desktops takes some seconds, and longer if the computer is busy.
vi.setConfig({ testTimeout: 60_000 })

const NEVER = { from: 0, to: 0 }
const CALM = { ...ONE_DAY, outage: NEVER, rollingRestart: { ...NEVER, instances: 1 }, wrongCertificate: NEVER }

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

describe('a hundred desktops for a day', () => {
  it('no outage, restart, wrong certificate or sleep ends a session', async () => {
    const { sessionsLost, neverBack, withoutToken } = await day({ lostPercent: 0, grace: 0 })
    expect({ sessionsLost, neverBack }).toEqual({ sessionsLost: 0, neverBack: 0 })
    // The outage was long enough to affect some computers.
    expect(withoutToken).toBeGreaterThan(5)
  })

  it('if the service has no grace period, a session ends whenever a reply is lost, and for no other reason', async () => {
    const { sessionsLost, ended, endedByLoss, hitByLoss } = await day({ grace: 0 })
    expect(hitByLoss).toBeGreaterThan(5)
    expect({ sessionsLost, ended, endedByLoss }).toEqual({
      sessionsLost: hitByLoss,
      ended: hitByLoss,
      endedByLoss: hitByLoss,
    })
  })

  it('if the service has a grace period of 30 s, lost replies end no session', async () => {
    const { sessionsLost, repliesLost } = await day({ schedule: CALM, lostPercent: 10 })
    expect(repliesLost).toBeGreaterThan(100)
    expect(sessionsLost).toBe(0)
  })

  // During an outage, a client waits longer after each failed attempt. So if a reply is lost right after the outage,
  // several minutes may pass before the client's next attempt.
  it('a reply that is lost right after an outage ends no session', async () => {
    const { sessionsLost, neverBack } = await day({ lostPercent: 10 })
    expect({ sessionsLost, neverBack }).toEqual({ sessionsLost: 0, neverBack: 0 })
  })

  // Uses 300 computers, because only about one in a hundred is waiting for its next attempt when the day ends.
  it('if every reply to a refresh is lost, the computers that can’t reach the service at the end are counted', async () => {
    const { neverBack } = await day({ lostPercent: 100, to: 300 })
    expect(neverBack).toBeGreaterThan(0)
  })
})

it('after an outage, Latchkey causes a much lower peak load than clients that retry at a fixed interval', async () => {
  const fleet = { to: 500, lostPercent: 0 }
  const latchkey = await day(fleet)
  const naive = await day({ ...fleet, client: 'naive' })
  const { peakAfterOutage, mean } = figuresOf(latchkey.load, ONE_DAY)
  expect(peakAfterOutage).toBeLessThan(40 * mean)
  expect(figuresOf(naive.load, ONE_DAY).peakAfterOutage).toBeGreaterThan(5 * peakAfterOutage)
  expect(latchkey.lastBack).toBeLessThan(6 * 60 * SECOND)
  expect([latchkey.neverBack, naive.neverBack]).toEqual([0, 0])
})

describe('the simulated time', () => {
  it('events run in order, and promises settle before the simulated time advances', async () => {
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

  it('the earliest event runs first, in whatever order the events were added', async () => {
    const queue = new EventQueue()
    const seen: number[] = []
    const times = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1009)
    for (const time of times) queue.at(time, () => seen.push(time))
    await queue.run(2000)
    expect(seen).toEqual([...times].sort((a, b) => a - b))
  })
})
