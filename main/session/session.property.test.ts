import { it } from 'vitest'
import { playSchedules } from '../../test/support/session/schedules.ts'

// `session.integration.test.ts` plays many more schedules.
it('in any order of events, every rule holds (100 random schedules)', async () => {
  await playSchedules(100, false)
}, 180_000)

it('with two copies of the program on one keychain, every rule holds (50 random schedules)', async () => {
  await playSchedules(50, true)
}, 180_000)
