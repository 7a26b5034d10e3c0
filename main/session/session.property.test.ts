import { it } from 'vitest'
import { playSchedules } from './testing/schedules.ts'

// The many are played by the integration tests.
it('whatever happens in whatever order, every rule holds (500 random schedules)', async () => {
  await playSchedules(500)
}, 30_000)
