import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure, FailureDetails } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import {
  afterFailure,
  alarmsOf,
  earliestToolRefresh,
  endingFailure,
  isFinal,
  isShortLived,
  marginOf,
  mayBeRefusal,
  mayHaveActed,
  NO_FAILURES,
  refreshDelay,
  retryAfterMs,
  retryAt,
  warningTime,
} from './schedule.ts'
import type { SessionState } from './state.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('the margin before expiry', () => {
  const table: readonly (readonly [string, number, number])[] = [
    ['a fifth of the lifetime', 10 * MINUTE, 2 * MINUTE],
    ['at least 30 s', 2 * MINUTE, 30 * SECOND],
    ['30 s, if that is exactly a fifth', 150 * SECOND, 30 * SECOND],
    ['at most 15 min', 10 * HOUR, 15 * MINUTE],
    ['15 min, if that is exactly a fifth', 75 * MINUTE, 15 * MINUTE],
    ['never more than a third of the lifetime', MINUTE, 20 * SECOND],
    ['30 s, if that is exactly a third', 90 * SECOND, 30 * SECOND],
    ['a third of a very short lifetime', 5 * SECOND, (5 * SECOND) / 3],
  ]
  it.each(table)('is %s', (_, lifetime, margin) => {
    expect(marginOf(lifetime)).toBeCloseTo(margin, 6)
  })
})

describe('the time of a refresh', () => {
  it('precedes expiry by the margin and a random part of it', () => {
    expect(refreshDelay(HOUR, () => 0)).toBe(HOUR - 12 * MINUTE)
    expect(refreshDelay(HOUR, () => 0.5)).toBe(HOUR - 18 * MINUTE)
    expect(refreshDelay(HOUR, () => 0.999999)).toBeGreaterThan(HOUR - 24 * MINUTE)
  })

  it('is at least 30 s after receipt, however short the lifetime', () => {
    fc.assert(
      fc.property(
        fc.double({ min: SECOND, max: 366 * 24 * HOUR, noNaN: true }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (life, part) => {
          expect(refreshDelay(life, () => part)).toBeGreaterThanOrEqual(30 * SECOND)
        },
      ),
    )
    expect(refreshDelay(SECOND, () => 0)).toBe(30 * SECOND)
    expect(refreshDelay(50 * SECOND, () => 0.9)).toBe(30 * SECOND)
  })

  it('falls into the last two thirds of a lifetime of over 30 s', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 30_001, max: 366 * 24 * HOUR, noNaN: true }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (life, part) => {
          const delay = refreshDelay(life, () => part)
          expect(delay).toBeGreaterThanOrEqual(Math.max(life / 3, 30 * SECOND) - 1e-6)
          expect(delay).toBeLessThan(life)
        },
      ),
    )
  })
})

describe('the delay after a failure', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [6, 32],
    [7, 60],
    [1_000, 60],
  ])('after failure %i is a random part of %i s', (attempt, seconds) => {
    const failures = { ...NO_FAILURES, count: attempt }
    expect(retryAt(failures, 0, true, () => 0)).toBe(0)
    expect(retryAt(failures, 0, true, () => 0.5)).toBe((seconds * SECOND) / 2)
  })

  it.each<[boolean, FailureDetails | undefined]>([
    [false, undefined],
    [false, { cause: 'ECONNREFUSED' }],
    [true, { cause: 'ECONNRESET', sent: true }],
    [true, { cause: 'field refreshToken', status: 200 }],
    [true, { status: 502 }],
    [true, { status: 504 }],
    [false, { status: 500 }],
    [false, { status: 503 }],
    [false, { status: 429 }],
  ])('`mayHaveActed` is %s for a failure with the details %o', (may, details) => {
    expect(mayHaveActed({ code: 'unreachable', ...(details && { details }) })).toBe(may)
  })

  it('grows to 5 min once the access token has expired', () => {
    expect(retryAt({ ...NO_FAILURES, count: 1_000 }, 0, false, () => 0.5)).toBe(2.5 * MINUTE)
  })

  it('follows the service’s Retry-After, up to an hour', () => {
    expect(retryAfterMs(undefined)).toBe(0)
    expect(retryAfterMs(90)).toBe(90 * SECOND)
    expect(retryAfterMs(86_400)).toBe(HOUR)
  })
})

it('without a refresh token, the warning comes 5 min before the end, or later if the token lives for less than 15 min', () => {
  expect(warningTime({ receivedAt: 100, expiresAt: 100 + HOUR })).toBe(100 + 55 * MINUTE)
  expect(warningTime({ receivedAt: 100, expiresAt: 100 + 6 * MINUTE })).toBe(100 + 4 * MINUTE)
})

describe('failures in a row', () => {
  const LOST = { code: 'unreachable', details: { sent: true } } as const
  const AWAY = { code: 'unreachable' } as const
  const failuresOf = (...failures: readonly { readonly code: 'unreachable'; readonly details?: FailureDetails }[]) =>
    failures.reduce((before, failure) => afterFailure(before, failure, 0), NO_FAILURES)
  const longest = (failures: ReturnType<typeof failuresOf>) => retryAt(failures, 0, true, () => 1)

  it('make retries less and less frequent', () => {
    expect([failuresOf(AWAY), failuresOf(AWAY, AWAY), failuresOf(AWAY, AWAY, AWAY)].map(longest)).toEqual([
      1_000, 2_000, 4_000,
    ])
  })

  it('are followed by the shortest delay if only the latest one lost the response', () => {
    expect(longest(failuresOf(AWAY, AWAY, AWAY, LOST))).toBe(SECOND)
    expect(longest(failuresOf(AWAY, AWAY, LOST, LOST))).toBe(2 * SECOND)
    expect(longest(failuresOf(LOST, LOST, AWAY))).toBe(4 * SECOND)
    expect(longest(failuresOf(LOST, LOST, AWAY, LOST))).toBe(SECOND)
  })

  it('let tools refresh again after 1 s, or when the service’s Retry-After has passed', () => {
    expect(earliestToolRefresh(NO_FAILURES)).toBe(0)
    expect(earliestToolRefresh(afterFailure(NO_FAILURES, AWAY, 5_000))).toBe(6_000)
    expect(earliestToolRefresh(afterFailure(NO_FAILURES, { code: 'rateLimited', retryAfter: 60 }, 5_000))).toBe(65_000)
    const longer = afterFailure(NO_FAILURES, { code: 'rateLimited', retryAfter: 60 }, 0)
    expect(earliestToolRefresh(afterFailure(longer, AWAY, 5_000))).toBe(60_000)
  })
})

it('a response is final unless the same request may succeed later', () => {
  const codes = ['malformedResponse', 'notConfigured', 'interactionRequired', 'unreachable', 'rateLimited'] as const
  const statuses = [0, 200, 400, 401, 403, 404, 408, 409, 423, 425, 429, 500]
  const found = codes.map((code) => statuses.filter((status) => isFinal({ code, details: { status } })))
  expect(found).toEqual([[400, 401, 403, 404], [400, 401, 403, 404], [400, 401, 403, 404], [], []])
  expect(isFinal({ code: 'notConfigured' })).toBe(false)
})

describe('a response that may be a refusal', () => {
  const malformed = (status: number): Failure => ({ code: 'malformedResponse', details: { status } })

  it('is malformed and has one of eight statuses', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index)
    expect(statuses.filter((status) => mayBeRefusal(malformed(status)))).toEqual([
      ...[400, 401, 403, 410, 419, 422, 440, 498],
    ])
  })

  it.each<[string, Failure, boolean]>([
    ['invalid_request', { code: 'notConfigured', details: { status: 400, cause: 'invalid_request' } }, true],
    ['invalid_client', { code: 'notConfigured', details: { status: 401, cause: 'invalid_client' } }, false],
    ['a page', { code: 'unreachable', details: { status: 403, cause: 'HTML answer' } }, false],
    ['an unreadable success', { code: 'malformedResponse', details: { status: 200 } }, false],
    ['no answer', { code: 'unreachable', details: { sent: true } }, false],
    ['a limit', { code: 'rateLimited', details: { status: 400 } }, false],
  ])('%s (%o) may be a refusal: %s', (_, failure, isUnclear) => {
    expect(mayBeRefusal(failure)).toBe(isUnclear)
  })

  it('ends the session if it is the third in a row', () => {
    const bare = malformed(400)
    const failuresOf = (...failures: readonly Failure[]) =>
      failures.reduce((before, failure) => afterFailure(before, failure, 0), NO_FAILURES)
    expect(endingFailure(failuresOf(bare, bare), bare)).toBeUndefined()
    expect(endingFailure(failuresOf(bare, bare, bare), bare)).toEqual({ ...bare, code: 'sessionEnded' })
    expect(endingFailure(failuresOf(bare, bare, { code: 'unreachable' }, bare), bare)).toBeUndefined()
  })

  it.each(['sessionEnded', 'interactionRequired'] as const)('ends the session at once if the failure is %s', (code) => {
    expect(endingFailure(NO_FAILURES, { code })).toEqual({ code })
  })
})

it('a token is short-lived if it lives for 30 s or less', () => {
  for (const seconds of [1, 29, 30]) expect(isShortLived({ receivedAt: 5, expiresAt: 5 + seconds * 1_000 })).toBe(true)
  expect(isShortLived({ receivedAt: 5, expiresAt: 5 + 30_001 })).toBe(false)
})

const account = { username: 'ana', displayName: 'Ana', grant: GRANTS.password } as const
const failure = { code: 'unreachable' } as const
const token = { receivedAt: 0, expiresAt: 3_600_000, refreshesAt: 2_000_000 }
const lasting = { receivedAt: 0, expiresAt: 3_600_000 }
const kept = 'keychain'

describe('the alarms of each state', () => {
  // biome-ignore format: a row a line reads as a table
  const table: readonly (readonly [string, SessionState, readonly object[]])[] = [
    ['restoring: none', { kind: 'restoring' }, []],
    ['sessionUnread: none', { kind: 'sessionUnread', why: 'locked' }, []],
    ['signedOut: none', { kind: 'signedOut', revocation: 'pending' }, []],
    ['active: the refresh', { kind: 'active', account, token, refresh: 'idle', kept }, [{ at: 2_000_000, name: 'refresh' }]],
    ['active, refreshing: none', { kind: 'active', account, token, refresh: 'running', kept }, []],
    ['active, without a refresh token: the warning 5 min before the end', { kind: 'active', account, token: lasting, refresh: 'idle', kept: 'memory' }, [{ at: 3_300_000, name: 'warn' }]],
    ['unreachable: the retry and the token’s expiry', { kind: 'unreachable', account, token, refresh: 'idle', kept, failure, retryAt: 7 }, [{ at: 7, name: 'refresh' }, { at: 3_600_000, name: 'ranOut' }, ]],
    ['unreachable, refreshing: only the token’s expiry', { kind: 'unreachable', account, token, refresh: 'running', kept, failure, retryAt: 7 }, [{ at: 3_600_000, name: 'ranOut' }]],
    ['unreachable, without a token: only the retry', { kind: 'unreachable', account, refresh: 'idle', kept, failure, retryAt: 7 }, [{ at: 7, name: 'refresh' }]],
    ['ending, refreshing: the token’s expiry', { kind: 'ending', account, token, refresh: 'running', kept, failure }, [{ at: 3_600_000, name: 'ranOut' }]],
    ['expired: none', { kind: 'expired', account, refresh: 'idle', failure }, []],
    ['signingIn: the alarms of the earlier state', { kind: 'signingIn', from: { kind: 'active', account, token, refresh: 'idle', kept } }, [{ at: 2_000_000, name: 'refresh' }]],
  ]
  it.each(table)('%s', (_, state, alarms) => {
    expect(alarmsOf(state)).toEqual(alarms)
  })
})
