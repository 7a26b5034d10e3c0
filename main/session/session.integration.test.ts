import { it } from 'vitest'
import { playSchedules } from './testing/schedules.ts'

/** Half a minute on two busy cores; `SCHEDULES` asks for more, `SEED` for those of a failure. */
const SCHEDULES = Number(process.env['SCHEDULES'] ?? 12_000)
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED'])

it(`whatever happens in whatever order, every rule holds (${SCHEDULES} random schedules)`, async () => {
  await playSchedules(SCHEDULES, seed)
}, 3_600_000)
