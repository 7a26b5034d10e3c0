/** When a token is refreshed, and how long to wait after a failure. Pure functions; durations are milliseconds. */
import { assertNever } from '../../contract/assert-never.ts'
import type { Failure } from '../../contract/failures.ts'
import { backoff, type Random } from '../base/retry.ts'
import { baseStateOf, type SessionState, type TokenLife } from './state.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** SECURITY: no scheduled refresh comes sooner after receipt, however short the token's life. */
const SHORTEST_DELAY = 30 * SECOND

/** The margin before expiry: a fifth of the lifetime, from 30 s to 15 min, and never more than a third of it. */
export function marginOf(lifetime: number): number {
  return Math.min(Math.max(lifetime / 5, 30 * SECOND), 15 * MINUTE, lifetime / 3)
}

/**
 * The delay from a token's receipt to its refresh. The refresh comes before expiry by the margin plus a random part of
 * the margin, which spreads the load. It never comes sooner than 30 s after receipt.
 */
export function refreshDelay(lifetime: number, random: Random): number {
  const margin = marginOf(lifetime)
  return Math.max(SHORTEST_DELAY, lifetime - margin - random() * margin)
}

/** Whether a token has already expired when its scheduled refresh comes. */
export const isShortLived = ({ receivedAt, expiresAt }: Pick<TokenLife, 'receivedAt' | 'expiresAt'>): boolean =>
  expiresAt - receivedAt <= SHORTEST_DELAY

/**
 * Whether the service may have carried out the request: its response didn't come or was unreadable, or a gateway
 * responded in its place (RFC 9110 sections 15.6.3 and 15.6.5).
 */
export function mayHaveActed({ details: { sent, status = 0 } = {} }: Failure): boolean {
  return sent === true || (status >= 200 && status < 300) || status === 502 || status === 504
}

export const LONGEST_DELAY_WITH_TOKEN = MINUTE
export const LONGEST_DELAY_WITHOUT_TOKEN = 5 * MINUTE

/** A longer `Retry-After` is shortened to this time. */
const LONGEST_RETRY_AFTER = 60 * MINUTE

/** When to warn of a session that can't be refreshed: 5 min before its end, or later if it is short. */
export const warningTime = ({ receivedAt, expiresAt }: TokenLife): number =>
  expiresAt - Math.min(5 * MINUTE, (expiresAt - receivedAt) / 3)

/** @param retryAfter the failure's `Retry-After`, in seconds */
export function retryAfterMs(retryAfter = 0): number {
  return Math.min(retryAfter * SECOND, LONGEST_RETRY_AFTER)
}

/** While the service fails, tools can have the token refreshed at most once in this time. */
const DEMAND_DELAY = SECOND

/**
 * The statuses with which an issuer may refuse the refresh token, even if it gives no reason that Latchkey knows.
 * Frameworks use 419, 440 and 498 for an expired session or token. The other statuses ask to wait (408, 423, 425, 429)
 * or concern another request (409), a proxy (407), a block (402, 418, 451), or the request's address or form (404, 405,
 * 406, 411 to 417, 421, 426, 428, 431).
 */
const REFUSING: readonly number[] = [400, 401, 403, 410, 419, 422, 440, 498]

/**
 * Whether the issuer may have refused the refresh token. A web page is no refusal: its code is `unreachable`. Nor is an
 * error about the client's settings, because signing in again wouldn't correct the settings.
 */
export function mayBeRefusal({ code, details: { status = 0, cause } = {} }: Failure): boolean {
  const isUnclear = code === 'malformedResponse' || (code === 'notConfigured' && cause === 'invalid_request')
  return isUnclear && REFUSING.includes(status)
}

/** Statuses after which the same request may succeed later. */
const PASSING: readonly number[] = [408, 409, 423, 425, 429]

/** Whether the issuer will most likely refuse the same request every time. */
export function isFinal({ code, details: { status = 0 } = {} }: Failure): boolean {
  const isAnswer = code === 'malformedResponse' || code === 'notConfigured' || code === 'interactionRequired'
  return isAnswer && status >= 400 && status < 500 && !PASSING.includes(status)
}

/** The causes of responses that don't come from the issuer itself. */
const NOT_SPOKEN = /^(?:HTML answer|redirect|refused by a gateway)/

/**
 * Whether another server may have responded in the issuer's place, without saying that this is temporary. A captive
 * portal or a proxy does that for hours at most, but the server at a wrong address does it for ever.
 */
export function mayBeIntercepted({ code, details: { status = 0, cause = '' } = {} }: Failure): boolean {
  if (code !== 'unreachable') return false
  return status === 501 || (NOT_SPOKEN.test(cause) && status < 500 && !PASSING.includes(status))
}

/**
 * After this many responses in a row that may be refusals, Latchkey treats the refresh token as refused, because some
 * issuers never send `invalid_grant`. A restart resets the count.
 */
const MOST_UNCLEAR = 3

export interface RefreshFailures {
  readonly count: number
  /** How many of the latest failures may have used up the refresh token. A used one soon stops working. */
  readonly lost: number
  /** How many of the latest failures may be refusals. */
  readonly unclear: number
  /** The end of the service's `Retry-After`, on the `Clock`. Only the user can retry sooner. */
  readonly notBefore: number
  readonly lastAt: number
}

export const NO_FAILURES: RefreshFailures = {
  count: 0,
  lost: 0,
  unclear: 0,
  notBefore: 0,
  lastAt: Number.NEGATIVE_INFINITY,
}

export const afterFailure = (before: RefreshFailures, failure: Failure, now: number): RefreshFailures => ({
  count: before.count + 1,
  lost: mayHaveActed(failure) ? before.lost + 1 : 0,
  unclear: mayBeRefusal(failure) ? before.unclear + 1 : 0,
  notBefore: Math.max(before.notBefore, now + retryAfterMs(failure.retryAfter)),
  lastAt: now,
})

/** The failure to report if this one ends the session: the issuer refused the refresh token, or the user must act. */
export function endingFailure({ unclear }: RefreshFailures, failure: Failure): Failure | undefined {
  const { code } = failure
  if (code === 'sessionEnded' || code === 'interactionRequired') return failure
  return unclear >= MOST_UNCLEAR ? { ...failure, code: 'sessionEnded' } : undefined
}

export function retryAt(
  { count, lost, notBefore }: RefreshFailures,
  now: number,
  hasValidToken: boolean,
  random: Random,
): number {
  return Math.max(
    notBefore,
    now + backoff(lost || count, hasValidToken ? LONGEST_DELAY_WITH_TOKEN : LONGEST_DELAY_WITHOUT_TOKEN, random),
  )
}

export const earliestToolRefresh = ({ notBefore, lastAt }: RefreshFailures): number =>
  Math.max(notBefore, lastAt + DEMAND_DELAY)

export type AlarmName = 'refresh' | 'warn' | 'ranOut'

interface Alarm {
  readonly at: number
  readonly name: AlarmName
}

export function alarmsOf(state: SessionState): readonly Alarm[] {
  const base = baseStateOf(state)
  switch (base.kind) {
    case 'active': {
      const { token, refresh } = base
      if (token.refreshesAt === undefined) return [{ at: warningTime(token), name: 'warn' }]
      return refresh === 'idle' ? [{ at: token.refreshesAt, name: 'refresh' }] : []
    }
    case 'unreachable': {
      const { token, refresh, retryAt } = base
      return [
        ...(refresh === 'idle' ? [{ at: retryAt, name: 'refresh' } as const] : []),
        ...(token === undefined ? [] : [{ at: token.expiresAt, name: 'ranOut' } as const]),
      ]
    }
    case 'ending':
      return [{ at: base.token.expiresAt, name: 'ranOut' }]
    case 'restoring':
    case 'sessionUnread':
    case 'unknownVersion':
    case 'signedOut':
    case 'expired':
      return []
    default:
      return assertNever(base)
  }
}
