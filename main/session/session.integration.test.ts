import { it } from 'vitest'
import { playPairSchedules, playSchedules } from './testing/schedules.ts'

/**
 * The number of schedules (random series of events), from the environment variable `SCHEDULES`. The default takes about
 * 10 s on two busy cores. To repeat a failure, set `SEED` to the seed that the failure prints.
 */
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 3_000)
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED'])
/** The number of schedules with two copies of the program: a third of all schedules. */
const PAIRS = Math.round(SCHEDULES / 3)

/** Prints how long the schedules took. The duration isn't checked, because it depends on the load of the machine. */
async function timed(play: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await play()
  console.log(`played in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
}

it(`in any order of events, every rule holds (${SCHEDULES - PAIRS} random schedules)`, async () => {
  await timed(() => playSchedules(SCHEDULES - PAIRS, seed))
}, 3_600_000)

it(`with two copies of the program on one keychain, every rule holds (${PAIRS} random schedules)`, async () => {
  await timed(() => playPairSchedules(PAIRS, seed))
}, 3_600_000)
