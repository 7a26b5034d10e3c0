import { Computer, type FleetConditions } from './computer.ts'
import { runLatchkey } from './latchkey.ts'
import { runNaive } from './naive.ts'
import { Notes } from './notes.ts'
import { EventQueue } from './queue.ts'
import { seeded } from './random.ts'
import { FleetService } from './service.ts'
import { HOUR, MINUTE, type Schedule, wakingHours } from './week.ts'

export interface FleetOptions {
  readonly client: 'latchkey' | 'naive'
  readonly schedule: Schedule
  /** The computers' numbers: at least `from`, and less than `to`. A number stands for the same computer in every run. */
  readonly from: number
  readonly to: number
  /** For this many milliseconds after its first use, a refresh token can be used again. */
  readonly grace: number
  readonly lostPercent: number
  readonly lossNoticedAfter?: number
}

export interface FleetResult {
  /** How many requests arrived in each second. */
  readonly load: Uint32Array
  readonly repliesLost: number
  /** How many sessions ended, as the clients saw it: each time, a user had to sign in again. */
  readonly sessionsLost: number
  /** How many sessions the service ended. */
  readonly ended: number
  /** How many of the sessions that the service ended had lost a reply before. */
  readonly endedByLoss: number
  /** How many sessions lost a reply. */
  readonly hitByLoss: number
  /** Milliseconds from the end of the outage until all computers had reached the service again. */
  readonly lastBack: number
  /** How many computers couldn't reach the service at the end, for any reason. */
  readonly neverBack: number
  /** How many computers had no valid access token at some time during the outage. */
  readonly withoutToken: number
}

export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  const { client, schedule, from, to, grace, lostPercent, lossNoticedAfter } = options
  const { end } = schedule
  const queue = new EventQueue()
  const service = new FleetService({ now: () => queue.now, schedule, grace, lifetime: HOUR })
  const lost = new Map<string, number>()
  const conditions: FleetConditions = { queue, service, lostPercent, end, lost, lossNoticedAfter }
  const notes = new Notes(schedule)
  for (let number = from; number < to; number++) {
    const computer = new Computer(`user${number}`, seeded(number), conditions)
    const days = wakingHours(end, computer.random)
    const run = client === 'latchkey' ? runLatchkey : runNaive
    run(computer, service.enrol(computer.name), days, notes)
  }
  // The queue runs a minute longer, so that requests sent just before the end are answered.
  await queue.run(end + MINUTE)
  const ended = [...service.ended]
  return {
    load: service.load,
    repliesLost: [...lost.values()].reduce((sum, each) => sum + each, 0),
    sessionsLost: notes.sessionsLost,
    ended: ended.length,
    endedByLoss: ended.filter((each) => lost.has(each)).length,
    hitByLoss: lost.size,
    lastBack: notes.lastBack,
    neverBack: notes.stillAway,
    withoutToken: notes.withoutToken.size,
  }
}
