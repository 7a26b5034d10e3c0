/** All automatic requests obey `Retry-After`, up to an hour. */
import { describe, expect, it } from 'vitest'
import { injectAt } from './faults.ts'
import { DAY, HOUR, MINUTE, REFRESH_DUE, SECOND, withWorld } from './world.ts'

const wait = (retryAfter: string, status = 429, type: 'json' | 'html' = 'json') =>
  ({ kind: 'status', status, type, headers: { 'Retry-After': retryAfter } }) as const

describe('no refresh is sent before the time in Retry-After', () => {
  it.for([
    ['in seconds', () => wait('120'), 2 * MINUTE],
    ['as a date', (now: number) => wait(new Date(now + REFRESH_DUE + 10 * MINUTE).toUTCString()), 10 * MINUTE],
    ['longer than an hour: after an hour', () => wait('86400'), HOUR],
    ['with a 503', () => wait('600', 503), 10 * MINUTE],
  ] as const)('%s', ([, fault, pause]) =>
    withWorld({}, async (world) => {
      const serverTime = world.time.wall()
      // The desktop's clock is a day slow. A wait measured with that clock would be a day too long.
      world.time.step(-DAY)
      const copy = await world.signedIn()
      injectAt(world, 'refresh', fault(serverTime), 1)
      await world.pass(REFRESH_DUE)
      await world.pass(pause / 2)
      copy.session.wake()
      await world.pass(pause / 2 - SECOND)
      copy.session.wake()
      await world.rest()
      expect(world.sent('refresh')).toBe(1)
      expect(copy.state.kind).toBe('unreachable')
      await world.pass(SECOND)
      expect(world.sent('refresh')).toBe(2)
      expect(copy.state.kind).toBe('active')
    }),
  )
})

it('a provider’s Retry-After is obeyed, too', () =>
  withWorld({}, async (world) => {
    const copy = await world.signedIn('passwordRealm')
    injectAt(world, 'ssoRefresh', wait('600'), 1)
    await world.pass(REFRESH_DUE + 10 * MINUTE - SECOND)
    expect(world.sent('token')).toBe(2)
    await world.pass(SECOND)
    expect(world.sent('token')).toBe(3)
    expect(copy.state.kind).toBe('active')
  }))

it('the user can retry before the time in Retry-After', () =>
  withWorld({}, async (world) => {
    const copy = await world.signedIn()
    injectAt(world, 'refresh', wait('600'), 1)
    await world.pass(REFRESH_DUE + SECOND)
    expect(await copy.session.refresh()).toEqual({ ok: true, value: undefined })
    expect(copy.state.kind).toBe('active')
  }))

it('no sign-out is repeated before the time in Retry-After', () =>
  withWorld({}, async (world) => {
    const copy = await world.signedIn()
    injectAt(world, 'logout', wait('600'), 1)
    await copy.session.signOut()
    await world.pass(10 * MINUTE - SECOND)
    copy.session.wake()
    await world.rest()
    expect(world.sent('logout')).toBe(1)
    await world.pass(SECOND)
    expect(world.sent('logout')).toBe(2)
    expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
  }))
