import type { Random } from '../main/base/retry.ts'
import { startComputer } from './computer.ts'
import { runLatchkey } from './latchkey.ts'
import { runNaive } from './naive.ts'
import { EventQueue } from './queue.ts'
import { fleetService } from './service.ts'
import { isIn, MINUTE, type Schedule, wakingHours } from './week.ts'

interface FleetOptions {
  readonly client: 'latchkey' | 'naive'
  readonly schedule: Schedule
  readonly desktops: number
  /** For this many milliseconds after its first use, a refresh token can be used again. */
  readonly grace: number
  readonly lostPercent: number
  /** The client notices a lost reply this many milliseconds after its request, but not before the reply was due. */
  readonly lossNoticedAfter?: number
}

export type FleetResult = Awaited<ReturnType<typeof runFleet>>

export async function runFleet({ client, schedule, desktops, grace, lostPercent, lossNoticedAfter = 0 }: FleetOptions) {
  const queue = new EventQueue()
  const service = fleetService(() => queue.now, schedule, grace)
  const lost = new Map<string, number>()
  const { end } = schedule
  const conditions = { queue, service, lostPercent, end, lost, lossNoticedAfter }
  const notes = new Notes(schedule.outage)
  const run = client === 'latchkey' ? runLatchkey : runNaive
  for (let number = 0; number < desktops; number++) {
    const computer = startComputer(`user${number}`, seeded(number), conditions)
    const days = wakingHours(end, computer.random)
    run(computer, service.enrol(computer.name), days, notes)
  }
  // The queue runs a minute longer, so that requests sent just before the end are answered.
  await queue.run(end + MINUTE)
  return {
    /** How many requests arrived in each second. */
    load: service.load,
    repliesLost: [...lost.values()].reduce((sum, each) => sum + each, 0),
    /** How many sessions ended, as the clients saw it: each time, a user had to sign in again. */
    sessionsLost: notes.sessionsLost,
    /** How many of the sessions that the service ended had lost a reply before. */
    endedByLoss: [...service.ended].filter((each) => lost.has(each)).length,
    /** Milliseconds from the end of the outage until all computers had reached the service again. */
    lastBack: notes.lastBack,
    /** How many computers couldn't reach the service at the end. */
    neverBack: notes.awaySince.size,
    /** How many computers had no valid access token at some time during the outage. */
    withoutToken: notes.withoutToken.size,
  }
}

/** Numbers that look random, and are the same in every run with the same seed (mulberry32). */
function seeded(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export class Notes {
  sessionsLost = 0
  readonly withoutToken = new Set<string>()
  lastBack = 0
  readonly awaySince = new Map<string, number>()
  readonly #outage: Schedule['outage']

  constructor(outage: Schedule['outage']) {
    this.#outage = outage
  }

  away(who: string, now: number, isOut: boolean): void {
    if (!this.awaySince.has(who)) this.awaySince.set(who, now)
    if (isOut && isIn(now, this.#outage)) this.withoutToken.add(who)
  }

  back(who: string, now: number): void {
    const since = this.awaySince.get(who)
    this.awaySince.delete(who)
    const { to } = this.#outage
    if (since !== undefined && since < to && now >= to) this.lastBack = Math.max(this.lastBack, now - to)
  }

  sessionLost(who: string): void {
    this.awaySince.delete(who)
    this.sessionsLost += 1
  }
}
