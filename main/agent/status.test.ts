import { afterEach, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { SessionView } from '../../contract/views.ts'
import { outlookOf, sessionEndOf, timeOf } from './status.ts'

const before = process.env['TZ']
afterEach(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

// In Berlin, the clock goes from 02:00 to 03:00 on 2026-03-29, and from 03:00 to 02:00 on 2026-10-25.
test.each([
  ['tomorrow', 'UTC', '2026-11-26T18:00Z', 7, 0, '2026-11-27T07:00Z'],
  ['tomorrow, if the clock shows it now', 'UTC', '2026-11-26T07:00Z', 7, 0, '2026-11-27T07:00Z'],
  ['on the desktop’s clock', 'America/New_York', '2026-11-26T18:00Z', 7, 30, '2026-11-27T12:30Z'],
  ['after a night of 23 hours', 'Europe/Berlin', '2026-03-28T19:00Z', 7, 0, '2026-03-29T05:00Z'],
  ['after a night of 25 hours', 'Europe/Berlin', '2026-10-24T19:00Z', 7, 0, '2026-10-25T06:00Z'],
  ['a time that the clock skips', 'Europe/Berlin', '2026-03-28T19:00Z', 2, 30, '2026-03-29T01:30Z'],
])('a time of day means the next time that the clock shows it: %s', (_, zone, now, hours, minutes, expected) => {
  process.env['TZ'] = zone
  expect(new Date(timeOf({ hours, minutes }, Date.parse(now))).toISOString()).toBe(expected.replace('Z', ':00.000Z'))
})

const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
const common = { account, refresh: 'idle', kept: 'keychain' } as const
const failure = { code: 'unreachable' } as const
const renewed = { receivedAt: 0, refreshesAt: 50, expiresAt: 100 }
const last = { receivedAt: 0, expiresAt: 100 }
const end = { kind: 'expected', at: 500, saidBy: 'provider' } as const

test.each<[string, SessionView, number | undefined, string, string]>([
  ['signed in', { kind: 'active', ...common, token: renewed, end }, 500, 'lasts', 'ends_before'],
  ['without a refresh token', { kind: 'active', ...common, token: last }, 100, 'lasts', 'ends_before'],
  ['offline', { kind: 'unreachable', ...common, failure, retryAt: 9, end }, 500, 'lasts', 'ends_before'],
  ['the refresh was refused', { kind: 'ending', ...common, token: renewed, failure }, 100, 'lasts', 'ends_before'],
  ['the session ended', { kind: 'expired', account, refresh: 'idle', failure }, undefined, 'signed_out', 'signed_out'],
  ['another version has it', { kind: 'unknownVersion' }, undefined, 'signed_out', 'signed_out'],
  ['it is being restored', { kind: 'restoring' }, undefined, 'not_known', 'not_known'],
  ['a sign-in is open', { kind: 'signingIn' }, undefined, 'not_known', 'not_known'],
  ['the keychain is locked', { kind: 'sessionUnread', why: 'locked' }, undefined, 'not_known', 'not_known'],
])('how long a session is expected to last: %s', (_, session, at, just, tooLong) => {
  const found = sessionEndOf(session)
  expect(found?.kind === 'expected' ? found.at : undefined).toBe(at)
  expect([0, 1].map((more) => outlookOf(session, (at ?? 0) + more, 'State.').outlook)).toEqual([just, tooLong])
})
