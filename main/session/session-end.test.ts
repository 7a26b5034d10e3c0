import { afterEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, ModelDesktop, SECOND } from '../../test/support/session/model-desktop.ts'
import type { ModelService } from '../../test/support/session/model-service.ts'
import { afterResponse, endOf, lengthOf, type StatedEnd, statedEnd, warningOf } from './session-end.ts'

const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 26, 10)

it('a response states the end by the refresh token’s lifetime, and otherwise by the token’s own expiry', () => {
  expect(statedEnd({ refreshExpiresIn: 36_000 }, NOW + DAY, NOW)).toBe(NOW + 10 * HOUR)
  expect(statedEnd({ refreshExpiresIn: 0 }, undefined, NOW)).toBe('never')
  expect(statedEnd({ refreshExpiresIn: 0 }, NOW + DAY, NOW)).toBe(NOW + DAY)
  expect(statedEnd({ serverTime: NOW + HOUR }, NOW + DAY, NOW)).toBe(NOW + 23 * HOUR)
  expect(statedEnd({}, NOW - 1, NOW)).toBeUndefined()
  // Some issuers send a time as the lifetime.
  expect(statedEnd({ refreshExpiresIn: NOW / SECOND }, NOW + DAY, NOW)).toBe(NOW + DAY)
})

it('an end is certain only if a later response doesn’t move it', () => {
  const first = { at: NOW + 10 * HOUR, saidAt: NOW, isFixed: false }
  const after = (at: StatedEnd['at'] | undefined, ms: number, before?: StatedEnd) =>
    afterResponse(before, at, NOW + ms, false)
  expect(after(first.at, 0)).toEqual(first)
  const later = 30 * SECOND
  expect(after(first.at, later, first)).toEqual({ at: first.at, saidAt: NOW + later, isFixed: true })
  expect(after(first.at + SECOND, later, first)).toMatchObject({ isFixed: true })
  expect(after(first.at + later, later, first)).toMatchObject({ isFixed: false })
  // Two responses that are close together show nothing, and nor does a wall clock that was set back.
  expect(after(first.at + SECOND, SECOND, first)).toEqual(first)
  expect(after(first.at, -DAY, first)).toMatchObject({ isFixed: false })
  expect(after('never', later, first)).toMatchObject({ at: 'never' })
  // The end of one token says nothing about another token.
  expect(afterResponse(first, undefined, NOW + later, true)).toEqual(first)
  expect(after(undefined, later, first)).toBeUndefined()
})

describe('the end of a session', () => {
  const startedAt = NOW - HOUR
  const said = (left: number, isFixed: boolean): StatedEnd => ({ at: NOW + left, saidAt: NOW, isFixed })
  const tenHours = [10 * HOUR, 10.5 * HOUR, 10.9 * HOUR]
  const usual = { kind: 'expected', at: startedAt + 10 * HOUR, saidBy: 'earlierSessions' }

  it('is the one that the provider names, unless each refresh moves it', () => {
    const provider = { kind: 'expected', at: NOW + 9 * HOUR, saidBy: 'provider' }
    expect(endOf({ startedAt, said: said(9 * HOUR, true) }, [HOUR, HOUR, HOUR], NOW)).toMatchObject(provider)
    const never = { at: 'never', saidAt: NOW, isFixed: false } as const
    expect(endOf({ startedAt, said: never }, tenHours, NOW)).toEqual({ kind: 'never' })
    const notBefore = { kind: 'notBefore', at: NOW + HOUR }
    expect(endOf({ startedAt, said: said(HOUR, false) }, [], NOW)).toEqual(notBefore)
    expect(endOf({ startedAt, said: said(DAY, false) }, tenHours, NOW)).toEqual({ kind: 'notBefore', at: NOW + DAY })
    expect(endOf({ startedAt, said: said(-1, true) }, [], NOW)).toBeUndefined()
  })

  it('is expected after the shortest of the last three sessions, if these lasted about equally long', () => {
    expect(endOf({ startedAt }, [HOUR, ...tenHours], NOW)).toMatchObject(usual)
    expect(endOf({ startedAt, said: said(HOUR, false) }, tenHours, NOW)).toMatchObject(usual)
    expect(endOf({ startedAt }, tenHours.slice(1), NOW)).toBeUndefined()
    expect(endOf({ startedAt }, [10 * HOUR, 10 * HOUR, 11.1 * HOUR], NOW)).toBeUndefined()
    expect(endOf({ startedAt: NOW - 11 * HOUR }, tenHours, NOW)).toBeUndefined()
    expect(endOf({}, tenHours, NOW)).toBeUndefined()
  })
})

it('the length of an ended session is known only if the end was noticed within a tenth of it', () => {
  const lengthAfter = (length: number, since: number) => lengthOf(NOW, NOW + length, NOW + length + since)
  expect(lengthAfter(10 * HOUR, 45 * MINUTE)).toBe(10 * HOUR)
  expect(lengthAfter(10 * HOUR, 2 * HOUR)).toBeUndefined()
  expect(lengthAfter(0, 0)).toBeUndefined()
  expect(lengthAfter(10 * HOUR, -DAY)).toBeUndefined()
})

describe('a session', () => {
  const endOfState = ({ state }: ModelDesktop) => ('end' in state ? state.end : undefined)
  const signedIn = async (options: Partial<ModelService['options']>) => {
    const desktop = new ModelDesktop()
    Object.assign(desktop.service.options, options)
    await desktop.start()
    await desktop.signIn('ana')
    return desktop
  }

  it('the end that the provider names is certain once a refresh hasn’t moved it, and survives a restart', async () => {
    const desktop = await signedIn({ sessionLifetime: 36_000, saysEnd: true })
    const at = desktop.clock.wall() + 10 * HOUR
    expect(endOfState(desktop)).toEqual({ kind: 'notBefore', at })
    await desktop.pass(HOUR)
    expect(endOfState(desktop)).toMatchObject({ kind: 'expected', at, saidBy: 'provider' })
    desktop.answer({ refresh: 'unreachable' })
    await desktop.restart()
    expect(desktop.state.kind).toBe('unreachable')
    expect(endOfState(desktop)).toMatchObject({ kind: 'expected', at, saidBy: 'provider' })
  })

  it('after three sessions that the provider ended, a fourth is expected to last equally long', async () => {
    const desktop = await signedIn({ sessionLifetime: 36_000, lifetime: 600 })
    for (let count = 0; count < 3; count++) {
      expect(endOfState(desktop)).toBeUndefined()
      await desktop.pass(10 * HOUR + 7 * MINUTE)
      expect(['ending', 'expired']).toContain(desktop.state.kind)
      // The second refusal of the token must not record the length again.
      await desktop.session.refresh()
      await desktop.signIn('ana')
    }
    expect(desktop.lengths).toHaveLength(3)
    const startedAt = desktop.clock.wall()
    const end = endOfState(desktop)
    expect(end).toMatchObject({ kind: 'expected', saidBy: 'earlierSessions' })
    const length = end?.kind === 'expected' ? end.at - startedAt : 0
    expect(Math.abs(length - 10 * HOUR)).toBeLessThan(HOUR / 2)
  })

  it('records no length if the user ended the session, or the computer slept through its end', async () => {
    const ends = ['signOut', 'signIn', 'sleep'] as const
    for (const end of ends) {
      const desktop = await signedIn({ sessionLifetime: 36_000 })
      await desktop.pass(5 * HOUR)
      if (end === 'sleep') await desktop.sleep(24 * HOUR)
      else if (end === 'signIn') await desktop.signIn('ana')
      else await desktop.session.signOut()
      await desktop.pass(MINUTE)
      expect(desktop.lengths).toEqual([])
    }
  })
})

describe('the warning of the end comes', () => {
  const before = process.env['TZ']
  afterEach(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  // 2026-11-27 is a Friday. In Berlin, the clocks go forward on 2026-03-29.
  it.each([
    ['at 9 if exactly two hours are left then', 'UTC', '2026-11-27T11:00Z', '2026-11-27T09:00Z'],
    ['a day earlier if less than two hours would be left', 'UTC', '2026-11-27T10:59Z', '2026-11-26T09:00Z'],
    ['on Friday if the session ends early on Monday', 'UTC', '2026-11-30T10:00Z', '2026-11-27T09:00Z'],
    ['by the desktop’s time zone', 'Pacific/Auckland', '2026-11-27T18:00Z', '2026-11-26T20:00Z'],
    ['at 9 before the clocks go forward', 'Europe/Berlin', '2026-03-30T08:30Z', '2026-03-27T08:00Z'],
    ['at 9 after the clocks have gone forward', 'Europe/Berlin', '2026-03-30T12:00Z', '2026-03-30T07:00Z'],
  ])('%s', (_, zone, end, expected) => {
    process.env['TZ'] = zone
    expect(warningOf(Date.parse(end))).toBe(Date.parse(expected))
  })

  it('two hours before the end if the session began later than 9, and never if it is shorter than that', () => {
    process.env['TZ'] = 'UTC'
    const startedAt = Date.parse('2026-11-27T10:00Z')
    expect(warningOf(startedAt + 10 * HOUR, startedAt)).toBe(startedAt + 8 * HOUR)
    expect(warningOf(startedAt + 1.5 * HOUR, startedAt)).toBeUndefined()
  })
})
