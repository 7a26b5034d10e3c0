import { expect, it } from 'vitest'
import { playSchedules } from './testing/schedules.ts'

/** Issue of time, not of truth: so many are played in well under a minute on two cores. */
const SCHEDULES = 20_000

it(`whatever happens in whatever order, every rule holds (${SCHEDULES} random schedules)`, async () => {
  await playSchedules(Number(process.env['SCHEDULES'] ?? SCHEDULES))
  expect.assertions(0)
}, 3_600_000)
