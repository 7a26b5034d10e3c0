/** Decides if a request waits for a refresh, how long it waits, and how it is answered. Pure functions. */
import { assertNever } from '../../contract/assert-never.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import type { AccessToken } from '../base/secret.ts'
import type { CurrentToken, NoTokenReason, TokenState, WaitingIn } from './token-source.ts'

/** A tool's request. */
export type Want =
  /**
   * A token that is valid for at least `minValidity` more milliseconds. With `isStrict`, a shorter-lived token is not
   * accepted.
   */
  | { readonly kind: 'valid'; readonly minValidity: number; readonly isStrict: boolean }
  /** Any token except `than`, which the service refused with 401. */
  | { readonly kind: 'another'; readonly than: AccessToken }

export type TokenAnswer =
  | CurrentAnswer
  /** Waiting tools get this answer when the agent is turned off or Latchkey quits. */
  | { readonly kind: 'stopping' }
  /** The connection was removed. */
  | { readonly kind: 'removed' }
  /** The tool can't wait for a token, because too many others do. */
  | { readonly kind: 'tooManyWaiting' }
  /** A remote machine has rejected tokens too quickly. It may reject another one at `retryAt`, a time on the `Clock`. */
  | { readonly kind: 'rejectedTooSoon'; readonly retryAt: number }

/** The possible answers while the agent is on. */
export type CurrentAnswer =
  | { readonly kind: 'token'; readonly token: CurrentToken; readonly account: string }
  | { readonly kind: 'signedOut'; readonly waitingIn?: WaitingIn }
  /** The best available token expires in `left` milliseconds, sooner than requested. */
  | { readonly kind: 'tooShort'; readonly left: number; readonly minValidity: number }
  /** `retryAt`: when to retry, as a time on the `Clock` (`Clock.now()`). */
  | {
      readonly kind: 'unavailable'
      readonly reason: NoTokenReason
      readonly retryAt: number
      readonly issuer?: IssuerKind
    }

/** A tool that waits until there is a token, whatever happens to the session meanwhile. */
export interface Patience {
  readonly milliseconds: number
  /**
   * Called when no token is on its way: the user has to sign in, or the issuer can't be reached. Returns a function that
   * is called when the wait is over, or `undefined` if no more tools can wait.
   */
  readonly begin: () => (() => void) | undefined
}

const SOON = 1_000
const WHEN_UNLOCKED = 10_000

/**
 * True if the token is younger than a tenth of its lifetime. Then a tool that requests a longer validity doesn't wait,
 * because a new token would hardly be valid for longer.
 */
export const isYoung = ({ receivedAt, expiresAt }: CurrentToken, now: number): boolean =>
  now - receivedAt < (expiresAt - receivedAt) / 10

const leftOf = (token: CurrentToken | undefined, now: number): number =>
  token === undefined ? 0 : Math.max(0, token.expiresAt - now)

const isWanted = (want: Want, token: CurrentToken): boolean =>
  want.kind === 'valid' || !want.than.equals(token.accessToken)

/** True if this token suits the request, or if a new token would hardly be valid for longer. */
export function isServed(want: Want, token: CurrentToken | undefined, now: number): boolean {
  const left = leftOf(token, now)
  if (token === undefined || left === 0 || !isWanted(want, token)) return false
  return want.kind === 'another' || left >= want.minValidity || isYoung(token, now)
}

/** True if a token may arrive without the user's help: the session is being restored, or a refresh is running. */
export const isRefreshing = (tokenState: TokenState): boolean =>
  tokenState.kind === 'restoring' || (tokenState.kind === 'signedIn' && tokenState.refresh.kind === 'running')

/**
 * When to stop waiting for a refresh: a time on the `Clock`, never after `deadline`. `undefined` means: answer now. If
 * the current token can serve as a fallback, the wait is at most half of its remaining life.
 */
export function waitUntil(want: Want, tokenState: TokenState, now: number, deadline: number): number | undefined {
  if (tokenState.kind === 'restoring') return deadline
  if (tokenState.kind !== 'signedIn' || isServed(want, tokenState.token, now)) return undefined
  const { token, refresh } = tokenState
  if (refresh.kind === 'impossible' || (refresh.kind === 'idle' && refresh.notBefore > now)) return undefined
  const left = want.kind === 'valid' ? leftOf(token, now) : 0
  return left > 0 ? Math.min(deadline, now + left / 2) : deadline
}

/**
 * The answer for the current state. A token that expires sooner than requested is only returned if the request isn't
 * strict.
 */
export function answerOf(want: Want, tokenState: TokenState, now: number): CurrentAnswer {
  switch (tokenState.kind) {
    case 'signedOut':
      return tokenState
    case 'restoring':
      return { kind: 'unavailable', reason: 'keychainUnavailable', retryAt: now + SOON }
    case 'locked':
      return { kind: 'unavailable', reason: 'keychainUnavailable', retryAt: now + WHEN_UNLOCKED }
    case 'signedIn': {
      const { account, token, refresh } = tokenState
      const left = leftOf(token, now)
      if (token !== undefined && left > 0 && isWanted(want, token)) {
        const isTooShort = want.kind === 'valid' && want.isStrict && left < want.minValidity
        return isTooShort
          ? { kind: 'tooShort', left, minValidity: want.minValidity }
          : { kind: 'token', token, account }
      }
      if (refresh.kind === 'impossible') return { kind: 'signedOut' }
      if (refresh.kind === 'running') return { kind: 'unavailable', reason: 'unreachable', retryAt: now + SOON }
      const { notBefore, failure = 'unreachable', issuer } = refresh
      const retryAt = Math.max(notBefore, now + SOON)
      return { kind: 'unavailable', reason: failure, retryAt, ...(issuer && { issuer }) }
    }
    default:
      return assertNever(tokenState)
  }
}
