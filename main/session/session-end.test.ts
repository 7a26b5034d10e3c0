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
    ['nothing', {}, undefined, undefined],
    ['a lifetime', { refreshExpiresIn: 36_000 }, undefined, NOW + 10 * HOUR],
    ['a lifetime, before the expiry of the token', { refreshExpiresIn: 60 }, NOW + DAY, NOW + MINUTE],
    ['no limit', { refreshExpiresIn: 0 }, undefined, 'never'],
    ['no limit, and an expiry', { refreshExpiresIn: 0 }, NOW + DAY, NOW + DAY],
    ['an expiry', {}, NOW + DAY, NOW + DAY],
    ['an expiry, by a clock that is an hour ahead', { serverTime: NOW + HOUR }, NOW + DAY, NOW + 23 * HOUR],
    ['an expiry that has passed', {}, NOW - 1, undefined],
    ['a time instead of a lifetime', { refreshExpiresIn: NOW / SECOND }, undefined, undefined],
    ['a time instead of a lifetime, beside an expiry', { refreshExpiresIn: NOW / SECOND }, NOW + DAY, NOW + DAY],
  ] as const)('%s', (_, answer, expiry, expected) => {
    expect(statedEnd(answer, expiry, NOW)).toBe(expected)
  })
})

describe('what is known of the end after another response', () => {
  const first = { at: NOW + 10 * HOUR, saidAt: NOW, isFixed: false }
  const later = NOW + 30 * SECOND
  test.each<[string, StatedEnd | undefined, StatedEnd['at'] | undefined, number, StatedEnd | undefined]>([
    ['after one response, the end may still move', undefined, first.at, NOW, first],
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
    ['two responses within a second show nothing', first, first.at + SECOND, NOW + SECOND, first],
    ['the wall clock was set back', first, first.at, NOW - DAY, { at: first.at, saidAt: NOW - DAY, isFixed: false }],
    ['no limit', first, 'never', later, { at: 'never', saidAt: later, isFixed: false }],
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
    ['nothing is known about it', { startedAt }, [], undefined],
    [
      'the provider names it',
      { startedAt, said: said(9 * HOUR, true) },
      [HOUR, HOUR, HOUR],
      { kind: 'expected', at: NOW + 9 * HOUR, saidBy: 'provider' },
    ],
    [
      'the provider sets no limit',
      { startedAt, said: { at: 'never', saidAt: NOW, isFixed: false } as const },
      tenHours,
      { kind: 'never' },
    ],
    ['each refresh moves the end', { startedAt, said: said(HOUR, false) }, [], { kind: 'notBefore', at: NOW + HOUR }],
    ['three earlier sessions lasted about equally long', { startedAt }, tenHours, usual],
    [
      'three earlier sessions lasted about equally long, and each refresh moves the end',
      { startedAt, said: said(HOUR, false) },
      tenHours,
      usual,
    ],
    [
      'the last three sessions lasted about equally long, and an older one didn’t',
      { startedAt },
      [HOUR, ...tenHours],
      usual,
    ],
    ['only two earlier sessions are known', { startedAt }, tenHours.slice(1), undefined],
    [
      'the last three sessions differ by more than a tenth',
      { startedAt },
      [10 * HOUR, 10 * HOUR, 11.1 * HOUR],
      undefined,
    ],
    ['this session lasts longer than the earlier ones', { startedAt: NOW - 11 * HOUR }, tenHours, undefined],
    [
      'the provider promises more than the earlier sessions lasted',
      { startedAt, said: said(DAY, false) },
      tenHours,
      { kind: 'notBefore', at: NOW + DAY },
    ],
    ['the session’s beginning isn’t known', {}, tenHours, undefined],
    ['the end has passed, but the session goes on', { startedAt, said: said(-1, true) }, [], undefined],
  ])('if %s', (_, times, lengths, expected) => {
    const end = endOf(times, lengths, NOW)
    expect(end).toEqual(expected === undefined ? undefined : expect.objectContaining(expected))
  })
})

test.each([
  ['the end was noticed soon enough', 10 * HOUR, 45 * MINUTE, 10 * HOUR],
  ['the computer slept', 10 * HOUR, 2 * HOUR, undefined],
  ['it ended at once', 0, 0, undefined],
  ['the wall clock was set back', 10 * HOUR, -DAY, undefined],
])('the length of an ended session: %s', (_, length, since, expected) => {
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

  test('the end that the provider names is certain after a refresh, and kept over a restart', async () => {
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

  test('the entry keeps the session’s times, even if a refresh changes nothing else', async () => {
    const desktop = await signedIn({ sessionLifetime: 36_000, saysEnd: 'fixed', isOneTime: false })
    const startedAt = desktop.clock.wall()
    await desktop.pass(HOUR)
    expect(desktop.entry?.times).toMatchObject({ startedAt, said: { isFixed: true, at: startedAt + 10 * HOUR } })
    expect(writeEntry(desktop.content ?? { revocations: [] }).reveal()).toBe(
      desktop.store.entries.get(desktop.entryName),
    )
  })
})

describe('when to warn', () => {
  const before = process.env['TZ']
  afterEach(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  // 2026-11-27 is a Friday. In Berlin, the clocks change on 2026-03-29 and 2026-10-25.
  test.each([
    ['on the same morning', 'UTC', '2026-11-27T18:00Z', undefined, '2026-11-27T09:00Z'],
    ['by the desktop’s zone', 'America/New_York', '2026-11-27T18:00Z', undefined, '2026-11-27T14:00Z'],
    ['exactly two hours before', 'UTC', '2026-11-27T11:00Z', undefined, '2026-11-27T09:00Z'],
    ['a day earlier, if less than two hours would be left', 'UTC', '2026-11-27T10:59Z', undefined, '2026-11-26T09:00Z'],
    ['the evening before, for the next night', 'UTC', '2026-11-27T03:00Z', undefined, '2026-11-26T09:00Z'],
    ['on Friday, for the weekend', 'UTC', '2026-11-29T12:00Z', undefined, '2026-11-27T09:00Z'],
    ['on Friday, for Monday morning', 'UTC', '2026-11-30T10:00Z', undefined, '2026-11-27T09:00Z'],
    [
      'on Friday, where it is already Saturday in UTC',
      'Pacific/Auckland',
      '2026-11-27T18:00Z',
      undefined,
      '2026-11-26T20:00Z',
    ],
    ['clocks go forward', 'Europe/Berlin', '2026-03-30T08:30Z', undefined, '2026-03-27T08:00Z'],
    ['clocks went forward', 'Europe/Berlin', '2026-03-30T12:00Z', undefined, '2026-03-30T07:00Z'],
    ['clocks went back', 'Europe/Berlin', '2026-10-26T12:00Z', undefined, '2026-10-26T08:00Z'],
    [
      'two hours before, for a session that began later that day',
      'UTC',
      '2026-11-27T20:00Z',
      '2026-11-27T10:00Z',
      '2026-11-27T18:00Z',
    ],
    ['never, for a session of less than two hours', 'UTC', '2026-11-27T11:30Z', '2026-11-27T10:00Z', undefined],
  ])('%s', (_, zone, end, startedAt, expected) => {
    process.env['TZ'] = zone
    const at = warningOf(Date.parse(end), startedAt === undefined ? undefined : Date.parse(startedAt))
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected?.replace('Z', ':00.000Z'))
  })
})
