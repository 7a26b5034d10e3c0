import { describe, expect, test } from 'vitest'
import { accessToken } from '../session/secret.ts'
import { answerOf, isRefreshing, type Want, waitUntil } from './serving.ts'
import type { Hand, HeldToken, RefreshState } from './token-source.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DEADLINE = 1e9

/** Received at time 0, valid for an hour. */
const token: HeldToken = { accessToken: accessToken('current'), receivedAt: 0, expiresAt: HOUR }
const idle: RefreshState = { kind: 'idle', notBefore: 0 }
const running: RefreshState = { kind: 'running' }
const impossible: RefreshState = { kind: 'impossible' }
const hand = (refresh: RefreshState, held: HeldToken | undefined = token): Hand => ({
  kind: 'signedIn',
  account: 'ana',
  ...(held === undefined ? {} : { token: held }),
  refresh,
})
const none = (refresh: RefreshState): Hand => ({ kind: 'signedIn', account: 'ana', refresh })
const valid = (minValidity = MINUTE, isStrict = false): Want => ({ kind: 'valid', minValidity, isStrict })
const another = (text = 'current'): Want => ({ kind: 'another', than: accessToken(text) })
const served = { kind: 'token', token, account: 'ana' }

describe('who waits, and until when', () => {
  test.each<[string, Want, Hand, number, number | undefined]>([
    ['a token that lives long enough is served', valid(), hand(idle), HOUR - MINUTE, undefined],
    ['so it is while it is refreshed', valid(), hand(running), HOUR - MINUTE, undefined],
    ['one that lives a moment too short is waited with', valid(), hand(idle), HOUR - MINUTE + 2, HOUR - MINUTE / 2 + 1],
    ['at most half of what is left of it is spent on waiting', valid(), hand(running), HOUR - 10_000, HOUR - 5_000],
    ['and nobody waits beyond the deadline', valid(DEADLINE * 9), hand(idle), HOUR / 2, HOUR / 2 + 30_000],
    [
      'one younger than a tenth of its life is the best there is',
      valid(24 * HOUR),
      hand(idle),
      HOUR / 10 - 1,
      undefined,
    ],
    ['one of a tenth is not', valid(24 * HOUR), hand(idle), HOUR / 10, HOUR / 10 + 30_000],
    ['one that has run out is waited for to the deadline', valid(0), hand(idle), HOUR, HOUR + 30_000],
    ['so is one that never was', valid(0), none(running), 0, 30_000],
    ['nobody waits for what can not come', valid(24 * HOUR), hand(impossible), HOUR / 2, undefined],
    [
      'nor for what the service will not be asked for yet',
      valid(0),
      none({ kind: 'idle', notBefore: 9 }),
      8,
      undefined,
    ],
    ['but from then on', valid(0), none({ kind: 'idle', notBefore: 9 }), 9, 30_009],
    ['a rejected token is waited with to the deadline, whatever is left of it', another(), hand(idle), 0, 30_000],
    ['a token rejected before is none to wait with', another('earlier'), hand(idle), 0, undefined],
    ['a session that is being restored is waited for', valid(), { kind: 'restoring' }, 0, 30_000],
    ['a locked keychain is not', valid(), { kind: 'locked' }, 0, undefined],
    ['nor is a sign-in', valid(), { kind: 'signedOut' }, 0, undefined],
  ])('%s', (_, want, held, now, until) => {
    expect(waitUntil(want, held, now, now + 30_000)).toBe(until)
  })
})

describe('the answer for the current state', () => {
  const unavailable = (reason: string, retryAt: number) => ({ kind: 'unavailable', reason, retryAt })

  test.each<[string, Want, Hand, number, object]>([
    ['a valid token', valid(), hand(idle), 0, served],
    ['a valid token for want of a longer one', valid(24 * HOUR), hand(idle), HOUR - 1, served],
    [
      'no token that is too short for a strict tool',
      valid(24 * HOUR, true),
      hand(idle),
      HOUR - 1,
      { kind: 'tooShort', left: 1, minValidity: 24 * HOUR },
    ],
    [
      'the best there is, though it is young, is too short as well',
      valid(2 * HOUR, true),
      hand(idle),
      0,
      { kind: 'tooShort', left: HOUR, minValidity: 2 * HOUR },
    ],
    ['a strict tool gets a token that is long enough', valid(HOUR, true), hand(idle), 0, served],
    ['the last token of a session that has ended', valid(), hand(impossible), HOUR - 1, served],
    ['no token that has run out', valid(0), hand(running), HOUR, unavailable('unreachable', HOUR + 1_000)],
    ['signed out, where only a sign-in helps', valid(0), hand(impossible), HOUR, { kind: 'signedOut' }],
    ['signed out, where the last token is rejected', another(), hand(impossible), 0, { kind: 'signedOut' }],
    ['never the token that was rejected', another(), hand(idle), 0, unavailable('unreachable', 1_000)],
    ['another than the one that was rejected', another('earlier'), hand(idle), 0, served],
    [
      'why there is none, and when to ask again',
      valid(0),
      none({ kind: 'idle', notBefore: 90_000, failure: 'rateLimited' }),
      0,
      unavailable('rateLimited', 90_000),
    ],
    ['a locked keychain', valid(), { kind: 'locked' }, 0, unavailable('keychainUnavailable', 10_000)],
    ['a keychain that does not answer', valid(), { kind: 'restoring' }, 0, unavailable('keychainUnavailable', 1_000)],
    ['nobody signed in', valid(), { kind: 'signedOut' }, 0, { kind: 'signedOut' }],
  ])('%s', (_, want, held, now, answer) => {
    expect(answerOf(want, held, now)).toEqual(answer)
  })
})

test('a tool that doesn’t wait gets the same answer as one that waited in vain', () => {
  for (const refresh of [idle, running, impossible]) {
    for (const now of [0, HOUR / 2, HOUR]) {
      const answer = answerOf(valid(), hand(refresh), now)
      if (waitUntil(valid(), hand(refresh), now, now + 1) === undefined) expect(answer.kind).not.toBe('unavailable')
    }
  }
})

test('a refresh is under way while it runs, and while the keychain is read', () => {
  const hands: Hand[] = [hand(running), { kind: 'restoring' }, hand(idle), hand(impossible), { kind: 'signedOut' }]
  expect(hands.map(isRefreshing)).toEqual([true, true, false, false, false])
})
