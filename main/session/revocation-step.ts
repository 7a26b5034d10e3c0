/** The next step of an attempt to revoke a token: a pure function, whose test has a row for every case. */
import { assertNever } from '../../contract/assert-never.ts'
import { type Failure, NO_METADATA, NO_REVOCATION, type Outcome } from '../../contract/failures.ts'
import type { AccessToken } from '../base/secret.ts'
import type { TokenPair } from './ports.ts'
import { isFinal, mayBeIntercepted, mayBeRefusal, retryAfterMs } from './schedule.ts'
import type { PendingRevocation } from './session-record.ts'

/** After this many refusals, or this many responses without metadata, Latchkey gives up. */
const MOST_REFUSALS = 3

/** The shortest delay after a refusal. It is long enough for the retries to outlast a proxy's short failure. */
const REFUSED_DELAY_MS = 10_000

/**
 * After this many responses that may come from a captive portal or a proxy, Latchkey gives up: RFC 7009 section 2.2.1
 * asks to retry only after 503. The attempts take three hours altogether, which usually outlasts a portal.
 */
const MOST_PAGES = 12
const LONGEST_PAGE_DELAY_MS = 3_600_000

/** The statuses of a server that has nothing at an address. */
const ABSENT: ReadonlySet<number | undefined> = new Set([400, 404, 405, 410, 501])

export type RevocationAttempt =
  | { readonly kind: 'begun' }
  /** `isFresh`: the access token comes from a refresh in this attempt. */
  | { readonly kind: 'revoked'; readonly isFresh: boolean; readonly outcome: Outcome }
  | { readonly kind: 'refreshed'; readonly outcome: Outcome<TokenPair> }

/** What failed, and the shortest delay before the next attempt. */
type Postponed = { readonly failure: Failure; readonly delayMs: number }

export type SettledRevocation =
  /** With `isRefused`, the issuer has refused too often, so the token may be valid. Otherwise, it no longer is. */
  | ({ readonly kind: 'finish'; readonly isRefused: boolean } & (Postponed | { readonly failure?: never }))
  | { readonly kind: 'giveUp'; readonly failure?: never }
  | ({ readonly kind: 'later'; readonly refusals?: number } & Postponed)

type RevocationStep =
  | { readonly kind: 'revoke'; readonly accessToken: AccessToken | undefined }
  | { readonly kind: 'refresh' }
  | SettledRevocation

interface Circumstances {
  readonly now: number
  /** Whether the settings still have the grant that revokes the token. */
  readonly isCurrent: boolean
}

export function nextRevocationStep(
  item: PendingRevocation,
  attempt: RevocationAttempt,
  circumstances: Circumstances,
): RevocationStep {
  const { now } = circumstances
  switch (attempt.kind) {
    case 'begun': {
      const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = item
      return { kind: 'revoke', accessToken: now < expiresAt ? accessToken : undefined }
    }
    case 'refreshed': {
      const { outcome } = attempt
      if (outcome.ok) return { kind: 'revoke', accessToken: outcome.value.accessToken }
      if (outcome.failure.code === 'sessionEnded') return { kind: 'finish', isRefused: false }
      return afterFailure(item, outcome.failure, { ...circumstances, isDead: mayBeRefusal(outcome.failure) })
    }
    case 'revoked': {
      const { outcome, isFresh } = attempt
      if (outcome.ok) return { kind: 'finish', isRefused: false }
      const { failure } = outcome
      if (failure.details?.cause === NO_REVOCATION) return { kind: 'giveUp' }
      if (failure.code === 'sessionEnded') {
        // The issuer may have refused the access token, so the revocation is repeated with a fresh one.
        if (!isFresh) return { kind: 'refresh' }
        // The issuer has just accepted the refresh token in a refresh, so this response doesn't mean that the token is
        // invalid. It is a refusal to revoke it, unless the access token has expired meanwhile.
        if (now < (item.expiresAt ?? 0)) return afterRefusal(item, failure, MOST_REFUSALS, true)
      }
      const step = afterFailure(item, failure, { ...circumstances, isDead: false })
      // Some issuers refuse to revoke a token twice. A refresh shows whether the token is still valid.
      return step.kind === 'finish' && isFinal(failure) && !isFresh ? { kind: 'refresh' } : step
    }
    default:
      return assertNever(attempt)
  }
}

/** @param circumstances `isDead` if the token is probably no longer valid */
function afterFailure(
  item: PendingRevocation,
  failure: Failure,
  { isCurrent, isDead }: Circumstances & { readonly isDead: boolean },
): SettledRevocation {
  // The settings no longer have this grant, so the user can't correct its settings, and every retry would fail.
  if (failure.code === 'notConfigured' && !isCurrent) return { kind: 'giveUp' }
  const { cause, status } = failure.details ?? {}
  if (cause === NO_METADATA) {
    const step = afterRefusal(item, failure, ABSENT.has(status) ? MOST_REFUSALS : MOST_PAGES, false)
    return step.kind === 'finish' ? { kind: 'giveUp' } : step
  }
  if (isFinal(failure)) return afterRefusal(item, failure, MOST_REFUSALS, !isDead)
  if (mayBeIntercepted(failure)) return afterRefusal(item, failure, MOST_PAGES, true)
  return { kind: 'later', failure, delayMs: retryAfterMs(failure.retryAfter) }
}

function afterRefusal(item: PendingRevocation, failure: Failure, most: number, isRefused: boolean): SettledRevocation {
  const { refusals: before = 0 } = item
  const refusals = before + 1
  const growing = Math.min(REFUSED_DELAY_MS * 2 ** before, LONGEST_PAGE_DELAY_MS)
  const postponed = { failure, delayMs: most === MOST_PAGES ? growing : REFUSED_DELAY_MS }
  return refusals < most ? { kind: 'later', ...postponed, refusals } : { kind: 'finish', ...postponed, isRefused }
}
