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

it.each<[string, number, number]>([
  ['a fifth of the lifetime', 10 * MINUTE, 2 * MINUTE],
  ['at least 30 s', 2 * MINUTE, 30 * SECOND],
  ['at most 15 min', 10 * HOUR, 15 * MINUTE],
  ['never more than a third of the lifetime', MINUTE, 20 * SECOND],
])('the margin before expiry is %s', (_, lifetime, margin) => {
  expect(marginOf(lifetime)).toBeCloseTo(margin, 6)
})

describe('the time of a refresh', () => {
  it('precedes expiry by the margin and a random part of it', () => {
    expect(refreshDelay(HOUR, () => 0)).toBe(HOUR - 12 * MINUTE)
    expect(refreshDelay(HOUR, () => 0.5)).toBe(HOUR - 18 * MINUTE)
  })

  it('is at least 30 s after receipt, and in the last two thirds of a longer lifetime', () => {
    const lifetime = fc.double({ min: SECOND, max: 366 * 24 * HOUR, noNaN: true })
    fc.assert(
      fc.property(lifetime, fc.double({ min: 0, max: 0.999999, noNaN: true }), (life, part) => {
        const delay = refreshDelay(life, () => part)
        expect(delay).toBeGreaterThanOrEqual(Math.max(life / 3 - 1e-6, 30 * SECOND))
        if (life > 30 * SECOND) expect(delay).toBeLessThan(life)
      }),
    )
  })
})

describe('the delay after a failure', () => {
  it('is a random part of 1 s, 2 s, 4 s, up to a minute, or to 5 min once the access token has expired', () => {
    const longest = (count: number, hasValidToken = true) =>
      retryAt({ ...NO_FAILURES, count }, 0, hasValidToken, () => 1) / SECOND
    expect([1, 2, 3, 6, 7, 1_000].map((count) => longest(count))).toEqual([1, 2, 4, 32, 60, 60])
    expect(longest(1_000, false)).toBe(300)
    expect(retryAt({ ...NO_FAILURES, count: 3 }, 0, true, () => 0.5)).toBe(2 * SECOND)
  })

  it('follows the service’s Retry-After, up to an hour', () => {
    expect([retryAfterMs(undefined), retryAfterMs(90), retryAfterMs(86_400)]).toEqual([0, 90 * SECOND, HOUR])
  })
})

it('the service may have acted if its response was lost or unreadable, or a gateway responded in its place', () => {
  const acted: readonly FailureDetails[] = [{ sent: true }, { status: 200 }, { status: 502 }, { status: 504 }]
  const others = [{ cause: 'ECONNREFUSED' }, { status: 503 }]
  const found = [...acted, ...others].filter((details) => mayHaveActed({ code: 'unreachable', details }))
  expect(found).toEqual(acted)
})

it('without a refresh token, the warning comes 5 min before the end, or later if the token lives for less than 15 min', () => {
  expect(warningTime({ receivedAt: 100, expiresAt: 100 + HOUR })).toBe(100 + 55 * MINUTE)
  expect(warningTime({ receivedAt: 100, expiresAt: 100 + 6 * MINUTE })).toBe(100 + 4 * MINUTE)
})

const LOST: Failure = { code: 'unreachable', details: { sent: true } }
const AWAY: Failure = { code: 'unreachable' }
const failuresOf = (...failures: readonly Failure[]) =>
  failures.reduce((before, failure) => afterFailure(before, failure, 0), NO_FAILURES)

describe('failures in a row', () => {
  it('are followed by growing delays, which begin anew if the response was lost', () => {
    const longest = (...failures: readonly Failure[]) => retryAt(failuresOf(...failures), 0, true, () => 1)
    expect(longest(AWAY, AWAY, AWAY)).toBe(4 * SECOND)
    expect(longest(AWAY, AWAY, AWAY, LOST)).toBe(SECOND)
    expect(longest(AWAY, AWAY, LOST, LOST)).toBe(2 * SECOND)
    expect(longest(LOST, LOST, AWAY)).toBe(4 * SECOND)
    expect(longest(LOST, LOST, AWAY, LOST)).toBe(SECOND)
  })

  it('let tools refresh again after 1 s, or when the service’s Retry-After has passed', () => {
    const limited = afterFailure(NO_FAILURES, { code: 'rateLimited', retryAfter: 60 }, 0)
    expect(earliestToolRefresh(NO_FAILURES)).toBe(0)
    expect(earliestToolRefresh(afterFailure(NO_FAILURES, AWAY, 5_000))).toBe(6_000)
    expect(earliestToolRefresh(limited)).toBe(60_000)
    expect(earliestToolRefresh(afterFailure(limited, AWAY, 5_000))).toBe(60_000)
  })
})

it('a response is final unless the same request may succeed later', () => {
  const codes = ['malformedResponse', 'notConfigured', 'interactionRequired', 'unreachable', 'rateLimited'] as const
  const statuses = [0, 200, 400, 401, 403, 404, 408, 409, 423, 425, 429, 500]
  const found = codes.map((code) => statuses.filter((status) => isFinal({ code, details: { status } })))
  expect(found).toEqual([[400, 401, 403, 404], [400, 401, 403, 404], [400, 401, 403, 404], [], []])
})

describe('a response that may be a refusal', () => {
  const malformed = (status: number): Failure => ({ code: 'malformedResponse', details: { status } })

  it('has one of eight statuses, and neither a known error nor a web page', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index)
    const refusing = [400, 401, 403, 410, 419, 422, 440, 498]
    expect(statuses.filter((status) => mayBeRefusal(malformed(status)))).toEqual(refusing)
    const notConfigured = (cause: string): Failure => ({ code: 'notConfigured', details: { status: 400, cause } })
    expect(mayBeRefusal(notConfigured('invalid_request'))).toBe(true)
    expect(mayBeRefusal(notConfigured('invalid_client'))).toBe(false)
    expect(mayBeRefusal({ code: 'unreachable', details: { status: 403, cause: 'HTML answer' } })).toBe(false)
    expect(mayBeRefusal({ code: 'rateLimited', details: { status: 400 } })).toBe(false)
  })

  it('ends the session if it is the third in a row, and a clear refusal does so at once', () => {
    const bare = malformed(400)
    expect(endingFailure(failuresOf(bare, bare), bare)).toBeUndefined()
    expect(endingFailure(failuresOf(bare, bare, bare), bare)).toEqual({ ...bare, code: 'sessionEnded' })
    expect(endingFailure(failuresOf(bare, bare, AWAY, bare), bare)).toBeUndefined()
    for (const code of ['sessionEnded', 'interactionRequired'] as const) {
      expect(endingFailure(NO_FAILURES, { code })).toEqual({ code })
    }
  })
})

it('a token is short-lived if it lives for 30 s or less', () => {
  expect(isShortLived({ receivedAt: 5, expiresAt: 30_005 })).toBe(true)
  expect(isShortLived({ receivedAt: 5, expiresAt: 30_006 })).toBe(false)
})

it('each state has the alarms for what comes next', () => {
  const account = { username: 'ana', displayName: 'Ana', grant: GRANTS.password } as const
  const token = { receivedAt: 0, expiresAt: 3_600_000, refreshesAt: 2_000_000 }
  const active = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' } as const
  const unreachable = { ...active, kind: 'unreachable', failure: AWAY, retryAt: 7 } as const
  const { token: _, ...withoutToken } = unreachable
  const [refresh, retry] = [
    { at: 2_000_000, name: 'refresh' },
    { at: 7, name: 'refresh' },
  ]
  const ranOut = { at: 3_600_000, name: 'ranOut' }
  const table: readonly (readonly [SessionState, readonly object[]])[] = [
    [{ kind: 'restoring' }, []],
    [active, [refresh]],
    [{ ...active, refresh: 'running' }, []],
    [{ ...active, token: { receivedAt: 0, expiresAt: 3_600_000 } }, [{ at: 3_300_000, name: 'warn' }]],
    [unreachable, [retry, ranOut]],
    [{ ...unreachable, refresh: 'running' }, [ranOut]],
    [withoutToken, [retry]],
    [{ ...active, kind: 'ending', failure: AWAY }, [ranOut]],
    [{ kind: 'expired', account, refresh: 'idle', failure: AWAY }, []],
    [{ kind: 'signingIn', from: active }, [refresh]],
  ]
  for (const [state, alarms] of table) expect([state, alarmsOf(state)]).toEqual([state, alarms])
})
