import { it } from 'vitest'
import { playPairSchedules, playSchedules } from './testing/schedules.ts'

/** Takes half a minute on two busy cores. `SCHEDULES` sets the number of schedules, `SEED` repeats a failure. */
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 12_000)
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED'])
/** A third of the schedules run two copies. */
const PAIRS = Math.round(SCHEDULES / 3)

/** No time limit: the duration depends on the load of the machine. */
async function timed(play: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await play()
  console.log(`played in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
}

it(`in any order of events, every rule holds (${SCHEDULES - PAIRS} random schedules)`, async () => {
  await timed(() => playSchedules(SCHEDULES - PAIRS, seed))
}, 3_600_000)

it(`also with two copies of the program on one keychain (${PAIRS} random schedules)`, async () => {
  await timed(() => playPairSchedules(PAIRS, seed))
}, 3_600_000)
