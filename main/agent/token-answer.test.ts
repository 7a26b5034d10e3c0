import { describe, expect, test } from 'vitest'
import { accessToken } from '../base/secret.ts'
import { answerOf, type Want, waitUntil } from './token-answer.ts'
import type { CurrentToken, RefreshState, TokenState } from './token-source.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DEADLINE = 1e9

/** Received at time 0, valid for an hour. */
const token: CurrentToken = { accessToken: accessToken('current'), receivedAt: 0, expiresAt: HOUR }
const idle: RefreshState = { kind: 'idle', notBefore: 0 }
const running: RefreshState = { kind: 'running' }
const impossible: RefreshState = { kind: 'impossible' }
const held = (refresh: RefreshState, current: CurrentToken | undefined = token): TokenState => ({
  kind: 'signedIn',
  account: 'ana',
  ...(current === undefined ? {} : { token: current }),
  refresh,
})
const none = (refresh: RefreshState): TokenState => ({ kind: 'signedIn', account: 'ana', refresh })
const valid = (minValidity = MINUTE, isStrict = false): Want => ({ kind: 'valid', minValidity, isStrict })
const another = (text = 'current'): Want => ({ kind: 'another', than: accessToken(text) })
const served = { kind: 'token', token, account: 'ana' }

describe('how long a tool waits', () => {
  test.each<[string, Want, TokenState, number, number | undefined]>([
    ['not at all if the token lives long enough', valid(), held(idle), HOUR - MINUTE, undefined],
    ['not at all for that even during a refresh', valid(), held(running), HOUR - MINUTE, undefined],
    ['if the token lives a moment too short', valid(), held(idle), HOUR - MINUTE + 2, HOUR - MINUTE / 2 + 1],
    ['at most for half of a token’s remaining life', valid(), held(running), HOUR - 10_000, HOUR - 5_000],
    ['never beyond the deadline', valid(DEADLINE * 9), held(idle), HOUR / 2, HOUR / 2 + 30_000],
    ['not at all if the token is young', valid(24 * HOUR), held(idle), HOUR / 10 - 1, undefined],
    ['if the token has reached a tenth of its life', valid(24 * HOUR), held(idle), HOUR / 10, HOUR / 10 + 30_000],
    ['until the deadline if the token has expired', valid(0), held(idle), HOUR, HOUR + 30_000],
    ['until the deadline if there has been no token', valid(0), none(running), 0, 30_000],
    ['not at all if no refresh is possible', valid(24 * HOUR), held(impossible), HOUR / 2, undefined],
    ['not at all while no refresh may be requested', valid(0), none({ kind: 'idle', notBefore: 9 }), 8, undefined],
    ['once a refresh may be requested again', valid(0), none({ kind: 'idle', notBefore: 9 }), 9, 30_009],
    ['until the deadline if the current token was rejected', another(), held(idle), 0, 30_000],
    ['not at all if an earlier token was rejected', another('earlier'), held(idle), 0, undefined],
    ['until the deadline while the session is restored', valid(), { kind: 'restoring' }, 0, 30_000],
    ['not at all for a locked keychain', valid(), { kind: 'locked' }, 0, undefined],
    ['not at all for a sign-in', valid(), { kind: 'signedOut' }, 0, undefined],
  ])('%s', (_, want, state, now, until) => {
    expect(waitUntil(want, state, now, now + 30_000)).toBe(until)
  })
})

describe('the answer for the current state', () => {
  const unavailable = (reason: string, retryAt: number) => ({ kind: 'unavailable', reason, retryAt })
  const tooShort = (left: number, minValidity: number) => ({ kind: 'tooShort', left, minValidity })

  test.each<[string, Want, TokenState, number, object]>([
    ['a valid token', valid(), held(idle), 0, served],
    ['a valid token, even if it is shorter than requested', valid(24 * HOUR), held(idle), HOUR - 1, served],
    [
      'an error if it is too short for a strict tool',
      valid(24 * HOUR, true),
      held(idle),
      HOUR - 1,
      tooShort(1, 24 * HOUR),
    ],
    ['an error even if it is brand-new', valid(2 * HOUR, true), held(idle), 0, tooShort(HOUR, 2 * HOUR)],
    ['a token that is long enough for a strict tool', valid(HOUR, true), held(idle), 0, served],
    ['the last token of a session that has ended', valid(), held(impossible), HOUR - 1, served],
    ['an error if the token has expired', valid(0), held(running), HOUR, unavailable('unreachable', HOUR + 1_000)],
    ['signed out if only a sign-in helps', valid(0), held(impossible), HOUR, { kind: 'signedOut' }],
    ['signed out if the last token was rejected', another(), held(impossible), 0, { kind: 'signedOut' }],
    ['an error, not the rejected token', another(), held(idle), 0, unavailable('unreachable', 1_000)],
    [
      'an error of the identity provider',
      valid(0),
      none({ kind: 'idle', notBefore: 0, failure: 'rateLimited', issuer: 'identityProvider' }),
      0,
      { ...unavailable('rateLimited', 1_000), issuer: 'identityProvider' },
    ],
    ['the current token if an earlier one was rejected', another('earlier'), held(idle), 0, served],
    [
      'the reason, and when to retry',
      valid(0),
      none({ kind: 'idle', notBefore: 90_000, failure: 'rateLimited' }),
      0,
      unavailable('rateLimited', 90_000),
    ],
    ['an error if the keychain is locked', valid(), { kind: 'locked' }, 0, unavailable('keychainUnavailable', 10_000)],
    [
      'an error until the keychain is read',
      valid(),
      { kind: 'restoring' },
      0,
      unavailable('keychainUnavailable', 1_000),
    ],
    ['signed out if no user is signed in', valid(), { kind: 'signedOut' }, 0, { kind: 'signedOut' }],
  ])('%s', (_, want, state, now, answer) => {
    expect(answerOf(want, state, now)).toEqual(answer)
  })
})

test('a tool that doesn’t wait never gets “unavailable” while a token may still arrive', () => {
  for (const refresh of [idle, running, impossible]) {
    for (const now of [0, HOUR / 2, HOUR]) {
      const answer = answerOf(valid(), held(refresh), now)
      if (waitUntil(valid(), held(refresh), now, now + 1) === undefined) expect(answer.kind).not.toBe('unavailable')
    }
  }
})
