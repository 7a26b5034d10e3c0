import { it } from 'vitest'
import { playPairSchedules, playSchedules } from './testing/schedules.ts'

// The integration tests run many more.
it('whatever happens in whatever order, every rule holds (400 random schedules)', async () => {
  await playSchedules(400)
}, 30_000)

it('with two copies of the program on one keychain too (200 random schedules)', async () => {
  await playPairSchedules(200)
}, 30_000)
