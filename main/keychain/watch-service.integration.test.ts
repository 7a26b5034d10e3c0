import { expect, it, onTestFinished } from 'vitest'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { watchSecretService } from './watch-service.ts'

it('calls `lost` once, two seconds after entries were deleted or the service was replaced, or as watching stops', async () => {
  const keyring = await startKeyring()
  onTestFinished(() => keyring.stop())
  const clock = new ManualClock()
  let lost = 0
  const stop = watchSecretService({ clock, busAddress: keyring.env.DBUS_SESSION_BUS_ADDRESS }, () => lost++)
  const deleteOne = async () => {
    await keyring.put('one', 'value')
    await keyring.put('one', undefined)
    return clock.armed
  }
  // Until the watcher has connected, it misses deletions.
  await expect.poll(deleteOne).toBe(1)
  await deleteOne()
  clock.advance(2_000)
  expect([lost, clock.armed]).toEqual([1, 0])

  await keyring.stopService()
  expect(clock.armed).toBe(0)
  await keyring.startService()
  await expect.poll(() => clock.armed).toBe(1)
  clock.advance(1_999)
  expect(lost).toBe(1)
  clock.advance(1)
  expect(lost).toBe(2)

  await deleteOne()
  await expect.poll(() => clock.armed).toBe(1)
  stop()
  expect([lost, clock.armed]).toEqual([3, 0])
  stop()
  expect(lost).toBe(3)
})
