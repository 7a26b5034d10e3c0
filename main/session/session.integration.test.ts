import { it } from 'vitest'
import { playSchedules } from '../../test/support/session/schedules.ts'

/** The number of random series of events. The default takes about 10 s. To repeat a failure, set `SEED` to its seed. */
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 3_000)
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED'])
const PAIRS = Math.round(SCHEDULES / 3)

it(`in any order of events, every rule holds (${SCHEDULES - PAIRS} random schedules)`, async () => {
  await playSchedules(SCHEDULES - PAIRS, false, seed)
}, 3_600_000)

it(`with two copies of the program on one keychain, every rule holds (${PAIRS} random schedules)`, async () => {
  await playSchedules(PAIRS, true, seed)
}, 3_600_000)
