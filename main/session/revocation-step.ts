/** The next step of an attempt to revoke one token: a pure function, whose test has a row for every case. */
import { assertNever } from '../../contract/assert-never.ts'
import { type Failure, NO_METADATA, NO_REVOCATION, type Outcome } from '../../contract/failures.ts'
import type { AccessToken } from '../base/secret.ts'
import type { TokenPair } from './ports.ts'
import { isFinal, mayBeIntercepted, mayBeRefusal, retryAfterMs } from './schedule.ts'
import type { PendingRevocation } from './session-record.ts'

/** After this many refusals, or answers that there is no metadata, Latchkey stops trying to revoke a token. */
const MOST_REFUSALS = 3

/** The shortest delay after a refusal. The attempts together outlast a short failure of a gateway. */
const REFUSED_DELAY_MS = 10_000

/**
 * After this many answers that may be a portal's or a proxy's, Latchkey stops, too: RFC 7009 section 2.2.1 asks to retry
 * only after 503. Their delays, of three hours together, usually outlast a portal.
 */
const MOST_PAGES = 12
const LONGEST_PAGE_DELAY_MS = 3_600_000

/** The statuses of a server that has nothing at an address. */
const ABSENT: ReadonlySet<number | undefined> = new Set([400, 404, 405, 410, 501])

/** The last step of the attempt, with its outcome. */
export type RevocationAttempt =
  | { readonly kind: 'begun' }
  /** `isFresh`: the access token comes from a refresh in this attempt. */
  | { readonly kind: 'revoked'; readonly isFresh: boolean; readonly outcome: Outcome }
  | { readonly kind: 'refreshed'; readonly outcome: Outcome<TokenPair> }

/** What was refused or failed, and the shortest delay before the next attempt. */
type Postponed = { readonly failure: Failure; readonly delayMs: number }

type Counts = Pick<PendingRevocation, 'refusals'>

/** The attempt is over. */
export type SettledRevocation =
  /** The token is revoked or useless. `isRefused`: the issuer has refused to revoke it, and Latchkey stops trying. */
  | ({ readonly kind: 'finish'; readonly isRefused: boolean } & (Postponed | { readonly failure?: never }))
  /** The token can't be revoked. */
  | { readonly kind: 'giveUp'; readonly failure?: never }
  | ({ readonly kind: 'later'; readonly counts?: Counts } & Postponed)

export type RevocationStep =
  | { readonly kind: 'revoke'; readonly accessToken: AccessToken | undefined }
  | { readonly kind: 'refresh' }
  | SettledRevocation

interface Circumstances {
  readonly now: number
  /** True if the settings contain the grant that revokes the token. */
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
        // The refusal may concern the access token, so retry with a fresh one.
        if (!isFresh) return { kind: 'refresh' }
        // The refresh has just shown that the refresh token is valid, so a refusal counts only if the access token
        // can't have expired on its way.
        if (now < (item.expiresAt ?? 0)) return afterRefusal(item, failure, MOST_REFUSALS, true)
      }
      const step = afterFailure(item, failure, { ...circumstances, isDead: false })
      // Some issuers also refuse a token that they have revoked before. A refresh shows which it is.
      return step.kind === 'finish' && isFinal(failure) && !isFresh ? { kind: 'refresh' } : step
    }
    default:
      return assertNever(attempt)
  }
}

/** @param circumstances `isDead`: the issuer no longer knows the token. */
function afterFailure(
  item: PendingRevocation,
  failure: Failure,
  { isCurrent, isDead }: Circumstances & { readonly isDead: boolean },
): SettledRevocation {
  // The settings no longer contain this grant, so the user can't correct its values, and any retry would fail too.
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
  return refusals < most
    ? { kind: 'later', ...postponed, counts: { refusals } }
    : { kind: 'finish', ...postponed, isRefused }
}
