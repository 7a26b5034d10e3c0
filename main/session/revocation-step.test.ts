import { expect, it } from 'vitest'
import { type Failure, fail, NO_METADATA, NO_REVOCATION, OK } from '../../contract/failures.ts'
import { accessToken, refreshToken } from '../base/secret.ts'
import { nextRevocationStep, type RevocationAttempt } from './revocation-step.ts'
import type { PendingRevocation } from './session-record.ts'

const access = accessToken('access')
const item: PendingRevocation = { grant: 'password', issuer: 'https://service', refreshToken: refreshToken('refresh') }
const withAccess = { ...item, accessToken: access, expiresAt: 100 }
const refusedTwice = { ...withAccess, refusals: 2 }
const refusedOften = { ...withAccess, refusals: 11 }
const refusal: Failure = { code: 'sessionEnded' }
const away: Failure = { code: 'unreachable', retryAfter: 7 }
const final: Failure = { code: 'malformedResponse', details: { status: 403 } }
const missing = (status: number): Failure => ({ code: 'unreachable', details: { cause: NO_METADATA, status } })
const page = (status: number, cause = 'HTML answer'): Failure => ({ code: 'unreachable', details: { cause, status } })
const revoked = (failure?: Failure, isFresh = false): RevocationAttempt => {
  return { kind: 'revoked', isFresh, outcome: failure === undefined ? OK : fail(failure) }
}
const unrefreshed = (failure: Failure): RevocationAttempt => ({ kind: 'refreshed', outcome: fail(failure) })
const BEGUN: RevocationAttempt = { kind: 'begun' }
const REFRESHED: RevocationAttempt = { kind: 'refreshed', outcome: { ok: true, value: { accessToken: access } } }

const next = (pending: PendingRevocation, attempt: RevocationAttempt, isCurrent = true) =>
  nextRevocationStep(pending, attempt, { now: 50, isCurrent })

it('the revocation is sent with an access token that is valid, and otherwise without one', () => {
  expect(next(withAccess, BEGUN)).toEqual({ kind: 'revoke', accessToken: access })
  expect(next({ ...withAccess, expiresAt: 50 }, BEGUN)).toEqual({ kind: 'revoke', accessToken: undefined })
  expect(next(item, REFRESHED)).toEqual({ kind: 'revoke', accessToken: access })
})

it('a success, or a refused refresh token, ends the revocation', () => {
  expect(next(withAccess, revoked())).toEqual({ kind: 'finish', isRefused: false })
  expect(next(refusedTwice, unrefreshed(refusal))).toEqual({ kind: 'finish', isRefused: false })
})

it('an outage never ends the revocation', () => {
  const outages = [away, page(502), page(511), page(429), page(408), page(400, 'server_error')]
  for (const failure of outages) {
    expect(next(refusedOften, revoked(failure))).toMatchObject({ kind: 'later', failure })
    expect(next(refusedOften, unrefreshed(failure))).toMatchObject({ kind: 'later', failure })
  }
  expect(next(withAccess, revoked(away))).toMatchObject({ delayMs: 7_000 })
})

it('after a refusal, a refresh shows whether the access token was the reason, and the third refusal is the last', () => {
  expect(next(withAccess, revoked(refusal))).toEqual({ kind: 'refresh' })
  const counted = { kind: 'later', delayMs: 10_000, refusals: 1 }
  expect(next(withAccess, revoked(refusal, true))).toMatchObject(counted)
  expect(next(refusedTwice, revoked(refusal, true))).toMatchObject({ kind: 'finish', isRefused: true })
  const expired = next({ ...refusedTwice, expiresAt: 50 }, revoked(refusal, true))
  expect(expired).toMatchObject({ kind: 'later', failure: refusal })
})

it('a final response counts as a refusal, and before the third, a refresh shows whether the token is still valid', () => {
  expect(next(withAccess, revoked(final))).toMatchObject({ kind: 'later', refusals: 1 })
  expect(next(refusedTwice, revoked(final))).toEqual({ kind: 'refresh' })
  expect(next(refusedTwice, revoked(final, true))).toMatchObject({ kind: 'finish', isRefused: true })
})

it('missing metadata count as a refusal, and web pages in their place are waited for longer', () => {
  expect(next(withAccess, revoked(missing(404)))).toMatchObject({ kind: 'later', refusals: 1 })
  expect(next(refusedTwice, revoked(missing(404)))).toEqual({ kind: 'giveUp' })
  expect(next(refusedTwice, revoked(missing(200)))).toMatchObject({ kind: 'later' })
  expect(next(refusedOften, revoked(missing(200)))).toEqual({ kind: 'giveUp' })
})

it('after a web page, the delay grows up to an hour, and the twelfth page ends the revocation', () => {
  const counted = { kind: 'later', delayMs: 10_000, refusals: 1 }
  expect(next(withAccess, revoked(page(404)))).toMatchObject(counted)
  expect(next({ ...withAccess, refusals: 5 }, revoked(page(405)))).toMatchObject({ delayMs: 320_000 })
  expect(next({ ...withAccess, refusals: 10 }, revoked(page(410)))).toMatchObject({ kind: 'later', delayMs: 3_600_000 })
  const others = [
    page(404),
    page(302, 'redirect to https://a'),
    page(403, 'refused by a gateway'),
    page(501, 'HTTP 501'),
  ]
  for (const each of others)
    expect(next(refusedOften, revoked(each))).toMatchObject({ kind: 'finish', isRefused: true })
})

it('the revocation is given up if nothing can revoke the token or correct the settings', () => {
  const noEndpoint = { ...final, details: { cause: NO_REVOCATION } }
  expect(next(withAccess, revoked(noEndpoint))).toEqual({ kind: 'giveUp' })
  expect(next(withAccess, revoked({ code: 'notConfigured' }), false)).toEqual({ kind: 'giveUp' })
  expect(next(withAccess, revoked({ code: 'notConfigured' }))).toMatchObject({ kind: 'later' })
})
