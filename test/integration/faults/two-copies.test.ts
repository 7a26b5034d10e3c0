/** Two copies of the program, each with a settings folder of its own, on one keychain entry. */
import { describe, expect, it } from 'vitest'
import { password } from '../../../main/session/secret.ts'
import type { Call, Copy } from './copy.ts'
import { FAULTS } from './faults.ts'
import { CREDENTIALS, HOUR, MINUTE, PASSWORDS, type World, withWorld } from './world.ts'

type Point = readonly [at: 'sending' | 'answered', call: Call]

/** Holds a copy at a point; opened, everybody comes to rest again. */
function gate(world: World, copy: Copy, [point, call]: Point): () => Promise<void> {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  copy.hold = (at, which) => (at === point && which === call ? opened : undefined)
  return () => {
    copy.hold = () => undefined
    open()
    return world.rest()
  }
}

/** The first is signed in; the second is started 10 minutes later, and takes the session from the keychain. */
async function twoCopies(world: World): Promise<readonly [Copy, Copy]> {
  const first = await world.signedIn()
  await world.pass(10 * MINUTE)
  return [first, await world.copy('second')]
}

function expectBothSignedIn(world: World, copies: readonly Copy[]): void {
  for (const { state } of copies) expect(state).toMatchObject({ kind: 'active', kept: 'keychain' })
  expect(world.service.isRefreshTokenValid(world.stored ?? '')).toBe(true)
}

/** Neither loses it now, nor when both have renewed in turn for hours. */
async function expectBothToStay(world: World, copies: readonly Copy[]): Promise<void> {
  expectBothSignedIn(world, copies)
  for (let hour = 0; hour < 6; hour++) {
    await world.pass(HOUR)
    expectBothSignedIn(world, copies)
  }
  expect(world.keychain.size).toBe(1)
}

describe.each([0, 30])('one after the other, with a grace of %i s, neither loses the session', (grace) => {
  it('renewing in turn, by their own schedules', () =>
    withWorld({ grace }, async (world) => {
      await expectBothToStay(world, await twoCopies(world))
    }))

  it('renewing in turn, by the button', () =>
    withWorld({ grace }, async (world) => {
      const copies = await twoCopies(world)
      for (const copy of [...copies, ...copies]) {
        await world.pass(MINUTE)
        expect(await copy.session.renew()).toEqual({ ok: true, value: undefined })
      }
      await expectBothToStay(world, copies)
    }))

  it('one of them cut off for hours, while the other rotated the token', () =>
    withWorld({ grace }, async (world) => {
      const copies = await twoCopies(world)
      await FAULTS['refused']?.(world, copies[0], 'refresh')
      await world.pass(5 * HOUR)
      expect(copies.map(({ state }) => state.kind)).toEqual(['unreachable', 'active'])
      world.heals(copies[0])
      await world.pass(10 * MINUTE)
      await expectBothToStay(world, copies)
    }))

  it('one of them ended, and started again', () =>
    withWorld({ grace }, async (world) => {
      const [first, second] = await twoCopies(world)
      await first.session.stop()
      await world.pass(2 * HOUR)
      await expectBothToStay(world, [await world.copy('first'), second])
    }))

  it('one of them signing in anew, which ends the old session', () =>
    withWorld({ grace }, async (world) => {
      const copies = await twoCopies(world)
      expect(await copies[1].session.signIn('password', CREDENTIALS)).toMatchObject({ ok: true })
      await expectBothToStay(world, copies)
    }))

  it('one of them signing in anew, while the answer to a renewal of the other is on its way', () =>
    withWorld({ grace }, async (world) => {
      const copies = await twoCopies(world)
      const open = gate(world, copies[1], ['answered', 'refresh'])
      void copies[1].session.renew()
      await world.rest()
      expect(await copies[0].session.signIn('password', CREDENTIALS)).toMatchObject({ ok: true })
      const fresh = world.stored
      // Not to the same moment: both would renew at once then.
      await world.pass(MINUTE)
      await open()
      expect(world.stored).toBe(fresh)
      await expectBothToStay(world, copies)
    }))

  it('one of them changing the password, which ends every session', () =>
    withWorld({ grace, revokeOnPasswordChange: true }, async (world) => {
      const copies = await twoCopies(world)
      expect(await copies[1].session.changePassword(PASSWORDS)).toMatchObject({ ok: true })
      await expectBothToStay(world, copies)
    }))
})

/** Two copies that start at once and read the same token. The first is held at a point until `open` is called. */
async function twoStarting(world: World, point: Point) {
  await (await world.signedIn()).session.stop()
  let open = async (): Promise<void> => {}
  const first = await world.copy('first', (copy) => {
    open = gate(world, copy, point)
  })
  return { copies: [first, await world.copy('second')] as const, open }
}

describe.each<readonly [string, Point]>([
  ['before the first has sent the token', ['sending', 'refresh']],
  ['while the answer to the first is on its way', ['answered', 'refresh']],
])('at once: the second renews %s', (_, point) => {
  it('and with a grace of 30 s neither loses the session', () =>
    withWorld({ grace: 30 }, async (world) => {
      const { copies, open } = await twoStarting(world, point)
      expect(copies[1].state.kind).toBe('active')
      await open()
      await expectBothToStay(world, copies)
      expect(copies.flatMap(({ failures }) => failures)).toEqual([])
    }))

  it('and without a grace the service itself ends it: both say so, and neither asks again', () =>
    withWorld({ grace: 0 }, async (world) => {
      const { copies, open } = await twoStarting(world, point)
      await open()
      await world.pass(2 * HOUR)
      for (const { state } of copies)
        expect(state).toMatchObject({ kind: 'expired', failure: { code: 'sessionEnded' } })
      const asked = world.sent('refresh')
      await world.pass(24 * HOUR)
      expect(world.sent('refresh')).toBe(asked)
    }))
})

describe('a sign-out in one copy', () => {
  it('ends the session of the other, and leaves nothing in the keychain', () =>
    withWorld({}, async (world) => {
      const [first, second] = await twoCopies(world)
      const token = world.stored ?? ''
      await first.session.signOut()
      expect(first.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
      expect(world.service.isRefreshTokenValid(token)).toBe(false)
      expect(world.keychain.size).toBe(0)
      await world.pass(2 * HOUR)
      expect(second.state).toMatchObject({ kind: 'expired', failure: { code: 'sessionEnded' } })
      expect(world.keychain.size).toBe(0)
    }))

  it('holds, though the answer to a renewal of the other is on its way', () =>
    withWorld({}, async (world) => {
      const [first, second] = await twoCopies(world)
      const open = gate(world, second, ['answered', 'refresh'])
      void second.session.renew()
      await world.rest()
      await first.session.signOut()
      await open()
      await world.pass(2 * HOUR)
      expect(first.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
      expect(second.state.kind).toBe('expired')
      for (const secret of world.service.issuedSecrets()) expect(world.service.isRefreshTokenValid(secret)).toBe(false)
    }))

  it('and a sign-in to another account leave the other copy what is its own', () =>
    withWorld({}, async (world) => {
      const [first, second] = await twoCopies(world)
      await first.session.signOut()
      const other = { username: 'ana.müller', password: password('schöner grüner Schlüssel') }
      await first.session.signIn('password', other)
      await world.pass(2 * HOUR)
      expect(first.state).toMatchObject({ kind: 'active', account: { username: 'ana.müller' } })
      expect(second.state).toMatchObject({ kind: 'expired', account: { username: 'ana' } })
    }))
})
