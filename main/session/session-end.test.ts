import { afterEach, describe, expect, test } from 'vitest'
import { ModelDesktop } from '../../test/support/session/model-desktop.ts'
import type { ModelService } from '../../test/support/session/model-service.ts'
import { writeEntry } from './entry.ts'
import { afterResponse, endOf, lengthOf, type StatedEnd, statedEnd, warningOf } from './session-end.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 26, 10)

describe('the end of a session in a response', () => {
  test.each([
    ['isn’t known if neither the response nor the token names it', {}, undefined, undefined],
    ['follows from the refresh token’s lifetime', { refreshExpiresIn: 36_000 }, undefined, NOW + 10 * HOUR],
    ['follows from the lifetime, even if the token expires later', { refreshExpiresIn: 60 }, NOW + DAY, NOW + MINUTE],
    ['is `never` if the lifetime is 0', { refreshExpiresIn: 0 }, undefined, 'never'],
    ['is the token’s expiry if the lifetime is 0', { refreshExpiresIn: 0 }, NOW + DAY, NOW + DAY],
    ['is the token’s expiry if no lifetime is named', {}, NOW + DAY, NOW + DAY],
    [
      'is the expiry an hour earlier if the issuer’s clock is an hour ahead',
      { serverTime: NOW + HOUR },
      NOW + DAY,
      NOW + 23 * HOUR,
    ],
    ['isn’t known if the expiry has passed', {}, NOW - 1, undefined],
    ['isn’t known if the lifetime is really a time', { refreshExpiresIn: NOW / SECOND }, undefined, undefined],
    [
      'is the token’s expiry if the lifetime is really a time',
      { refreshExpiresIn: NOW / SECOND },
      NOW + DAY,
      NOW + DAY,
    ],
  ] as const)('%s', (_, answer, expiry, expected) => {
    expect(statedEnd(answer, expiry, NOW)).toBe(expected)
  })
})

describe('what is known of the end after another response', () => {
  const first = { at: NOW + 10 * HOUR, saidAt: NOW, isFixed: false }
  const later = NOW + 30 * SECOND
  test.each<[string, StatedEnd | undefined, StatedEnd['at'] | undefined, number, StatedEnd | undefined]>([
    ['an end that only one response has named isn’t certain', undefined, first.at, NOW, first],
    ['an end that stays where it was is certain', first, first.at, later, { ...first, saidAt: later, isFixed: true }],
    [
      'an end that differs by a second is certain',
      first,
      first.at + SECOND,
      later,
      expect.objectContaining({ isFixed: true }),
    ],
    [
      'an end that moves with each refresh isn’t certain',
      first,
      first.at + 30 * SECOND,
      later,
      expect.objectContaining({ isFixed: false }),
    ],
    [
      'an end that comes closer is certain',
      { ...first, isFixed: false },
      first.at - HOUR,
      later,
      expect.objectContaining({ isFixed: true }),
    ],
    ['another response within a second changes nothing', first, first.at + SECOND, NOW + SECOND, first],
    [
      'the end isn’t certain if the wall clock was set back',
      first,
      first.at,
      NOW - DAY,
      { at: first.at, saidAt: NOW - DAY, isFixed: false },
    ],
    [
      'a response without a limit replaces the earlier end',
      first,
      'never',
      later,
      { at: 'never', saidAt: later, isFixed: false },
    ],
  ])('%s', (_, before, at, now, expected) => {
    expect(afterResponse(before, at, now, false)).toEqual(expected)
  })

  test('a response without an end keeps the known end for the same token, but not for another token', () => {
    expect([true, false].map((isSameToken) => afterResponse(first, undefined, later, isSameToken))).toEqual([
      first,
      undefined,
    ])
  })
})

describe('the end of a session', () => {
  const startedAt = NOW - HOUR
  const said = (left: number, isFixed: boolean): StatedEnd => ({ at: NOW + left, saidAt: NOW, isFixed })
  const tenHours = [10 * HOUR, 10.5 * HOUR, 10.9 * HOUR]
  const usual = { kind: 'expected', at: startedAt + 10 * HOUR, saidBy: 'earlierSessions' }
  test.each([
    ['isn’t known if no response names it and no earlier session is known', { startedAt }, [], undefined],
    [
      'is the one that the provider names, if no refresh moves it',
      { startedAt, said: said(9 * HOUR, true) },
      [HOUR, HOUR, HOUR],
      { kind: 'expected', at: NOW + 9 * HOUR, saidBy: 'provider' },
    ],
    [
      'is `never` if the provider sets no limit',
      { startedAt, said: { at: 'never', saidAt: NOW, isFixed: false } as const },
      tenHours,
      { kind: 'never' },
    ],
    [
      'comes no sooner than the provider says, if each refresh moves it',
      { startedAt, said: said(HOUR, false) },
      [],
      { kind: 'notBefore', at: NOW + HOUR },
    ],
    [
      'is expected after the length of the last three sessions, if they lasted about equally long',
      { startedAt },
      tenHours,
      usual,
    ],
    [
      'is expected after the length of the last three sessions, even if each refresh moves the named end',
      { startedAt, said: said(HOUR, false) },
      tenHours,
      usual,
    ],
    [
      'is expected after the length of the last three sessions, even if an older session was shorter',
      { startedAt },
      [HOUR, ...tenHours],
      usual,
    ],
    ['isn’t known if only two earlier sessions are known', { startedAt }, tenHours.slice(1), undefined],
    [
      'isn’t known if the last three sessions differ by more than a tenth',
      { startedAt },
      [10 * HOUR, 10 * HOUR, 11.1 * HOUR],
      undefined,
    ],
    [
      'isn’t known if this session lasts longer than the earlier ones',
      { startedAt: NOW - 11 * HOUR },
      tenHours,
      undefined,
    ],
    [
      'comes no sooner than the provider says, even if the earlier sessions were shorter',
      { startedAt, said: said(DAY, false) },
      tenHours,
      { kind: 'notBefore', at: NOW + DAY },
    ],
    ['isn’t known if the session’s beginning isn’t known', {}, tenHours, undefined],
    [
      'isn’t known if the end that the provider named has passed, but the session goes on',
      { startedAt, said: said(-1, true) },
      [],
      undefined,
    ],
  ])('%s', (_, times, lengths, expected) => {
    const end = endOf(times, lengths, NOW)
    expect(end).toEqual(expected === undefined ? undefined : expect.objectContaining(expected))
  })
})

test.each([
  ['is known if the end is noticed within a tenth of the length', 10 * HOUR, 45 * MINUTE, 10 * HOUR],
  ['isn’t known if the computer slept', 10 * HOUR, 2 * HOUR, undefined],
  ['isn’t known if the session ended at once', 0, 0, undefined],
  ['isn’t known if the wall clock was set back', 10 * HOUR, -DAY, undefined],
])('the length of an ended session %s', (_, length, since, expected) => {
  expect(lengthOf(NOW, NOW + length, NOW + length + since)).toBe(expected)
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

  test('the end that the provider names is certain once a refresh hasn’t moved it, and survives a restart', async () => {
    const desktop = await signedIn({ sessionLifetime: 36_000, saysEnd: 'fixed' })
    const at = desktop.clock.wall() + 10 * HOUR
    expect(endOfState(desktop)).toEqual({ kind: 'notBefore', at })
    await desktop.pass(HOUR)
    expect(endOfState(desktop)).toMatchObject({ kind: 'expected', at, saidBy: 'provider' })
    desktop.answer({ refresh: 'unreachable' })
    await desktop.restart()
    expect(desktop.state.kind).toBe('unreachable')
    expect(endOfState(desktop)).toMatchObject({ kind: 'expected', at, saidBy: 'provider' })
  })

  test('an idle limit is never shown as the end', async () => {
    const desktop = await signedIn({ saysEnd: { idle: 1_800 }, lifetime: 300 })
    await desktop.pass(24 * HOUR)
    const ends = desktop.states.flatMap((state) => ('end' in state ? [state.end?.kind] : []))
    expect(new Set(ends)).toEqual(new Set(['notBefore']))
  })

  test('after three sessions that the provider ended, a fourth is expected to last equally long', async () => {
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

  test.each<[string, (desktop: ModelDesktop) => Promise<unknown>]>([
    ['the user signed out', (desktop) => desktop.session.signOut()],
    ['the user signed in again', (desktop) => desktop.signIn('ana')],
    ['the computer slept through the end', (desktop) => desktop.sleep(24 * HOUR)],
    [
      'Latchkey was restarted after the end',
      async (desktop) => {
        desktop.kill()
        desktop.time.sleep(24 * HOUR)
        await desktop.start()
      },
    ],
  ])('no session length is recorded if %s', async (_, end) => {
    const desktop = await signedIn({ sessionLifetime: 36_000 })
    await desktop.pass(5 * HOUR)
    await end(desktop)
    await desktop.pass(MINUTE)
    expect(desktop.lengths).toEqual([])
  })

  test('a refresh that changes only the session’s times writes them to the entry', async () => {
    const desktop = await signedIn({ sessionLifetime: 36_000, saysEnd: 'fixed', isOneTime: false })
    const startedAt = desktop.clock.wall()
    await desktop.pass(HOUR)
    expect(desktop.entry?.times).toMatchObject({ startedAt, said: { isFixed: true, at: startedAt + 10 * HOUR } })
    expect(writeEntry(desktop.content ?? { revocations: [] }).reveal()).toBe(
      desktop.store.entries.get(desktop.entryName),
    )
  })
})

describe('the warning of the end comes', () => {
  const before = process.env['TZ']
  afterEach(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  // 2026-11-27 is a Friday. In Berlin, the clocks change on 2026-03-29 and 2026-10-25.
  test.each([
    ['at 9 on the same day', 'UTC', '2026-11-27T18:00Z', undefined, '2026-11-27T09:00Z'],
    ['at 9 in the desktop’s time zone', 'America/New_York', '2026-11-27T18:00Z', undefined, '2026-11-27T14:00Z'],
    ['at 9 if exactly two hours are left then', 'UTC', '2026-11-27T11:00Z', undefined, '2026-11-27T09:00Z'],
    ['a day earlier if less than two hours would be left', 'UTC', '2026-11-27T10:59Z', undefined, '2026-11-26T09:00Z'],
    ['on the morning before if the session ends at night', 'UTC', '2026-11-27T03:00Z', undefined, '2026-11-26T09:00Z'],
    ['on Friday if the session ends at the weekend', 'UTC', '2026-11-29T12:00Z', undefined, '2026-11-27T09:00Z'],
    ['on Friday if the session ends early on Monday', 'UTC', '2026-11-30T10:00Z', undefined, '2026-11-27T09:00Z'],
    [
      'on Friday if the session ends on Saturday by the desktop’s time zone, and on Friday by UTC',
      'Pacific/Auckland',
      '2026-11-27T18:00Z',
      undefined,
      '2026-11-26T20:00Z',
    ],
    ['at 9 before the clocks go forward', 'Europe/Berlin', '2026-03-30T08:30Z', undefined, '2026-03-27T08:00Z'],
    ['at 9 after the clocks have gone forward', 'Europe/Berlin', '2026-03-30T12:00Z', undefined, '2026-03-30T07:00Z'],
    ['at 9 after the clocks have gone back', 'Europe/Berlin', '2026-10-26T12:00Z', undefined, '2026-10-26T08:00Z'],
    [
      'two hours before the end if the session began later than 9 that day',
      'UTC',
      '2026-11-27T20:00Z',
      '2026-11-27T10:00Z',
      '2026-11-27T18:00Z',
    ],
    ['never if the session lasts for less than two hours', 'UTC', '2026-11-27T11:30Z', '2026-11-27T10:00Z', undefined],
  ])('%s', (_, zone, end, startedAt, expected) => {
    process.env['TZ'] = zone
    const at = warningOf(Date.parse(end), startedAt === undefined ? undefined : Date.parse(startedAt))
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected?.replace('Z', ':00.000Z'))
  })
})
