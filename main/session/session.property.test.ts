import { it } from 'vitest'
import { playSchedules } from './testing/schedules.ts'

it('whatever happens in whatever order, every rule holds (a few schedules)', async () => {
  await playSchedules(500)
})
