import { expect, test } from 'vitest'
import { HandClock } from '../keychain/hand-clock.ts'
import type { Marker } from '../session/ports.ts'
import { settledForm } from './settled-form.ts'

/** Whether it is settled after so many milliseconds. */
async function settledAfter(elapsed: number, marker: Marker | undefined, restored: () => Promise<void>) {
  const clock = new HandClock()
  let isSettled = false
  const settled = settledForm({ clock, marker, restored }).then(() => {
    isSettled = true
  })
  clock.advance(elapsed)
  // Whatever was due has had its turn.
  await new Promise(setImmediate)
  const was = isSettled
  clock.advance(1_000)
  await settled
  expect(clock.armed).toBe(0)
  return was
}

const never = () => new Promise<void>(() => {})

test('where no session was stored, the keychain’s word is waited for', async () => {
  expect(await settledAfter(0, undefined, async () => {})).toBe(true)
  expect(await settledAfter(99, undefined, never)).toBe(false)
})

test('and not for long', async () => {
  expect(await settledAfter(100, undefined, never)).toBe(true)
})

test.each(['stored', 'leaving'] as const)('where one is remembered as %s, nothing is waited for', async (marker) => {
  expect(await settledAfter(0, marker, never)).toBe(true)
})
