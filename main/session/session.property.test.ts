import { it } from 'vitest'
import { playPairSchedules, playSchedules } from './testing/schedules.ts'

// The integration tests run many more schedules.
it('in any order of events, every rule holds (400 random schedules)', async () => {
  await playSchedules(400)
}, 60_000)

it('with two copies of the program on one keychain, every rule holds (200 random schedules)', async () => {
  await playPairSchedules(200)
}, 60_000)
