/** Two copies of the app with separate data folders share a keychain, but have independent sessions. */
import { describe, expect, it } from 'vitest'
import type { Copy } from './copy.ts'
import { CREDENTIALS, HOUR, MINUTE, type World, withWorld } from './world.ts'

type Folder = 'first' | 'second'

/** Two copies that are signed in to the same account. */
async function twoCopies(world: World): Promise<readonly [Copy, Copy]> {
  const copies = [await world.copy('first'), await world.copy('second')] as const
  for (const { session } of copies) expect(await session.signIn('password', CREDENTIALS)).toMatchObject({ ok: true })
  expect(world.keychain.size).toBe(2)
  return copies
}

function expectSignedIn(world: World, folder: Folder, copy: Copy): void {
  expect(copy.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  expect(world.service.isRefreshTokenValid(world.storedBy(folder) ?? '')).toBe(true)
}

/** Expects the copy to keep its session for hours, and to refresh it on its own schedule. */
async function expectToStay(world: World, folder: Folder, copy: Copy): Promise<void> {
  expectSignedIn(world, folder, copy)
  for (let hour = 0; hour < 6; hour++) {
    const before = world.storedBy(folder)
    await world.pass(HOUR)
    expectSignedIn(world, folder, copy)
    expect(world.storedBy(folder)).not.toBe(before)
  }
  expect(world.service.replayCount()).toBe(0)
}

describe.each([0, 30])('neither copy affects the other if a used refresh token stays valid for %i s', (grace) => {
  it('both copies refresh, on schedule and by the button', () =>
    withWorld({ grace }, async (world) => {
      const [first, second] = await twoCopies(world)
      for (const { session } of [first, second, first, second]) {
        await world.pass(MINUTE)
        expect(await session.refresh()).toEqual({ ok: true, value: undefined })
      }
      await expectToStay(world, 'first', first)
      await expectToStay(world, 'second', second)
    }))

  it('a copy that signs out loses its token and its keychain entry, and the other copy keeps refreshing', () =>
    withWorld({ grace }, async (world) => {
      const [first, second] = await twoCopies(world)
      const token = world.storedBy('first') ?? ''
      await first.session.signOut()
      expect(first.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
      expect(world.service.isRefreshTokenValid(token)).toBe(false)
      expect(world.keychain.size).toBe(1)
      await expectToStay(world, 'second', second)
      expect(first.state.kind).toBe('signedOut')
    }))

  it('a copy that signs in again ends only its own old session', () =>
    withWorld({ grace }, async (world) => {
      const [first, second] = await twoCopies(world)
      const old = world.storedBy('second') ?? ''
      expect(await second.session.signIn('password', CREDENTIALS)).toMatchObject({ ok: true })
      await world.rest()
      expect(world.service.isRefreshTokenValid(old)).toBe(false)
      await expectToStay(world, 'first', first)
      await expectToStay(world, 'second', second)
    }))
})
