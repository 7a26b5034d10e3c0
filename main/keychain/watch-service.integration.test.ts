import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { watchSecretService } from './watch-service.ts'

const ENTRY = 'https://data.example.com/ session 0'

let keyring: Keyring
let clock: ManualClock
let lost: number
let stop: () => void
beforeEach(async () => {
  keyring = await startKeyring()
  clock = new ManualClock()
  lost = 0
  await keyring.put(ENTRY, 'a value')
  stop = watchSecretService({ clock, busAddress: keyring.env.DBUS_SESSION_BUS_ADDRESS }, () => lost++)
  await expect.poll(isWatching).toBe(true)
})
afterEach(async () => {
  stop()
  await keyring.stop()
})

/** Whether the watcher notices a deletion. */
async function isWatching(): Promise<boolean> {
  await keyring.put('something', 'else')
  await keyring.put('something', undefined)
  const isNoticed = clock.armed > 0
  clock.advance(2_000)
  lost = 0
  return isNoticed
}

it('calls `lost` once, two seconds after entries were deleted or another service has taken the bus name', async () => {
  await keyring.put('one', 'value')
  await Promise.all(['one', ENTRY].map((name) => keyring.put(name, undefined)))
  await expect.poll(() => clock.armed).toBe(1)
  clock.advance(2_000)
  expect(lost).toBe(1)
  await keyring.stopService()
  expect(clock.armed).toBe(0)
  await keyring.startService()
  await expect.poll(() => clock.armed).toBe(1)
  clock.advance(1_999)
  expect(lost).toBe(1)
  clock.advance(1)
  expect(lost).toBe(2)
})

it('reports a noticed change at once when watching stops, and nothing afterwards', async () => {
  await keyring.put(ENTRY, undefined)
  await expect.poll(() => clock.armed).toBe(1)
  stop()
  expect([lost, clock.armed]).toEqual([1, 0])
  stop()
  expect(lost).toBe(1)
})
