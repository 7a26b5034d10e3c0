import { describe, expect, it } from 'vitest'
import { type Failure, fail, NO_METADATA, NO_REVOCATION, OK } from '../../contract/failures.ts'
import { accessToken, refreshToken } from '../base/secret.ts'
import { nextRevocationStep, type RevocationAttempt } from './revocation-step.ts'
import type { PendingRevocation } from './session-record.ts'

const access = accessToken('access')
const item: PendingRevocation = { grant: 'password', issuer: 'https://service', refreshToken: refreshToken('refresh') }
const withAccess = { ...item, accessToken: access, expiresAt: 100 }
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

describe('the next step of a revocation', () => {
  it.each<[string, PendingRevocation, RevocationAttempt, object, boolean?]>([
    [
      'with a valid access token, the revocation is sent at once',
      withAccess,
      BEGUN,
      { kind: 'revoke', accessToken: access },
    ],
    [
      'with an access token that has no expiry, the revocation is sent at once',
      { ...item, accessToken: access },
      BEGUN,
      { kind: 'revoke' },
    ],
    [
      'an expired access token isn’t sent',
      { ...withAccess, expiresAt: 50 },
      BEGUN,
      { kind: 'revoke', accessToken: undefined },
    ],
    ['without an access token, the first request has none', item, BEGUN, { kind: 'revoke', accessToken: undefined }],
    [
      'after a refresh, the revocation is sent with the new access token',
      item,
      REFRESHED,
      { kind: 'revoke', accessToken: access },
    ],
    ['a refused refresh token needs no revocation', item, unrefreshed(refusal), { kind: 'finish', isRefused: false }],
    ['a failed refresh is tried again later', item, unrefreshed(away), { kind: 'later', delayMs: 7_000 }],
    ['a success ends the revocation', withAccess, revoked(), { kind: 'finish', isRefused: false }],
    [
      'without a revocation endpoint, the revocation is given up',
      withAccess,
      revoked({ ...final, details: { cause: NO_REVOCATION } }),
      { kind: 'giveUp' },
    ],
    ['after a refusal, the next step is a refresh', withAccess, revoked(refusal), { kind: 'refresh' }],
    [
      'a refusal in spite of a fresh access token is counted',
      withAccess,
      revoked(refusal, true),
      { kind: 'later', delayMs: 10_000, counts: { refusals: 1 } },
    ],
    [
      'a refusal isn’t counted if the access token has expired meanwhile',
      { ...withAccess, expiresAt: 50, refusals: 2 },
      revoked(refusal, true),
      { kind: 'later', failure: refusal },
    ],
    [
      'the third refusal ends the revocation',
      { ...withAccess, refusals: 2 },
      revoked(refusal, true),
      { kind: 'finish', isRefused: true },
    ],
    [
      'a failed revocation is tried again later',
      withAccess,
      revoked(away),
      { kind: 'later', failure: away, delayMs: 7_000 },
    ],
    [
      'a final response is counted as a refusal',
      withAccess,
      revoked(final),
      { kind: 'later', counts: { refusals: 1 } },
    ],
    [
      'before the third refusal, a refresh shows whether the token is still valid',
      { ...item, refusals: 2 },
      revoked(final),
      { kind: 'refresh' },
    ],
    [
      'an invalid token needs no revocation',
      { ...item, refusals: 2 },
      unrefreshed(refusal),
      { kind: 'finish', isRefused: false },
    ],
    [
      'the third refusal of a valid token ends the revocation as refused',
      { ...item, refusals: 2 },
      revoked(final, true),
      { kind: 'finish', isRefused: true },
    ],
    [
      'a response without metadata is counted as a refusal',
      withAccess,
      revoked(missing(404)),
      { kind: 'later', counts: { refusals: 1 } },
    ],
    [
      'the third response without metadata ends the revocation',
      { ...withAccess, refusals: 2 },
      revoked(missing(404)),
      { kind: 'giveUp' },
    ],
    [
      'three web pages in place of metadata don’t end the revocation',
      { ...withAccess, refusals: 2 },
      revoked(missing(200)),
      { kind: 'later' },
    ],
    [
      'the twelfth web page in place of metadata ends the revocation',
      { ...withAccess, refusals: 11 },
      revoked(missing(200)),
      { kind: 'giveUp' },
    ],
    [
      'a web page is counted as a refusal, because it may come from the service',
      withAccess,
      revoked(page(404)),
      { kind: 'later', delayMs: 10_000, counts: { refusals: 1 } },
    ],
    ['the delay grows with each web page', { ...withAccess, refusals: 5 }, revoked(page(405)), { delayMs: 320_000 }],
    [
      'the delay after a web page is an hour at most',
      { ...withAccess, refusals: 10 },
      revoked(page(410)),
      { kind: 'later', delayMs: 3_600_000 },
    ],
    [
      'the twelfth web page ends the revocation',
      { ...withAccess, refusals: 11 },
      revoked(page(404)),
      { kind: 'finish', isRefused: true },
    ],
    [
      'the twelfth redirect ends the revocation',
      { ...withAccess, refusals: 11 },
      revoked(page(302, 'redirect to https://a')),
      { kind: 'finish' },
    ],
    [
      'the twelfth refusal by a gateway ends the revocation',
      { ...withAccess, refusals: 11 },
      revoked(page(403, 'refused by a gateway')),
      { kind: 'finish' },
    ],
    [
      'the twelfth 501 ends the revocation',
      { ...withAccess, refusals: 11 },
      revoked(page(501, 'HTTP 501')),
      { kind: 'finish' },
    ],
    ...[502, 511, 429, 408].map((status): [string, PendingRevocation, RevocationAttempt, object] => [
      `a page with the status ${status} never ends the revocation`,
      { ...withAccess, refusals: 11 },
      revoked(page(status)),
      { kind: 'later' },
    ]),
    [
      'an outage never ends the revocation',
      { ...withAccess, refusals: 11 },
      revoked(page(400, 'server_error')),
      { kind: 'later' },
    ],
    [
      'incomplete settings don’t end the revocation, because they may be corrected',
      withAccess,
      revoked({ code: 'notConfigured' }),
      { kind: 'later' },
    ],
    [
      'a failure of a grant that is no longer set up ends the revocation, because nobody can correct it',
      withAccess,
      revoked({ code: 'notConfigured' }),
      { kind: 'giveUp' },
      false,
    ],
  ])('%s', (_, pending, attempt, step, isCurrent = true) => {
    expect(nextRevocationStep(pending, attempt, { now: 50, isCurrent })).toMatchObject(step)
  })
})
