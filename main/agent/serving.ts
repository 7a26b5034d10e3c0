/** Who is served from the token in hand, who waits for a refresh and until when, and what the answer is. Pure. */
import { assertNever } from '../../contract/assert-never.ts'
import type { FailureCode } from '../../contract/failures.ts'
import type { AccessToken } from '../session/secret.ts'
import type { Hand, HeldToken } from './token-source.ts'

/** What a tool asks for. */
export type Want =
  /** A token that lives for at least `minValidity` milliseconds. `isStrict`: or none, if there is no such token. */
  | { readonly kind: 'valid'; readonly minValidity: number; readonly isStrict: boolean }
  /** Another than this one, with which it met a 401. */
  | { readonly kind: 'another'; readonly than: AccessToken }

export type TokenAnswer =
  | AnswerInHand
  /** The agent is switched off, or Latchkey quits: whoever waits is told so. */
  | { readonly kind: 'stopping' }

/** What can be answered as long as the agent is on. */
export type AnswerInHand =
  | { readonly kind: 'token'; readonly token: HeldToken; readonly account: string }
  | { readonly kind: 'signedOut' }
  /** The best token there is lives for `left` milliseconds, less than was asked for. */
  | { readonly kind: 'tooShort'; readonly left: number; readonly minValidity: number }
  /** `retryAt`: when it is worth asking again, on the Clock. */
  | { readonly kind: 'unavailable'; readonly reason: FailureCode; readonly retryAt: number }

const SOON = 1_000
const WHEN_UNLOCKED = 10_000

/** A token younger than a tenth of its lifetime is the best there is, whatever validity is asked for. */
export const isYoung = ({ receivedAt, expiresAt }: HeldToken, now: number): boolean =>
  now - receivedAt < (expiresAt - receivedAt) / 10

const leftOf = (token: HeldToken | undefined, now: number): number =>
  token === undefined ? 0 : Math.max(0, token.expiresAt - now)

const isWanted = (want: Want, token: HeldToken): boolean =>
  want.kind === 'valid' || !want.than.equals(token.accessToken)

/** Whether the token in hand is what is wanted, so that nothing has to be waited for. */
function isServed(want: Want, token: HeldToken | undefined, now: number): boolean {
  const left = leftOf(token, now)
  if (token === undefined || left === 0 || !isWanted(want, token)) return false
  return want.kind === 'another' || left >= want.minValidity || isYoung(token, now)
}

/** Whether a refresh may come to its end without anybody's doing. */
export const isRefreshing = (hand: Hand): boolean =>
  hand.kind === 'restoring' || (hand.kind === 'signedIn' && hand.refresh.kind === 'running')

/**
 * Until when to wait for a refresh, on the Clock, which is never later than `deadline`; `undefined`: answer now.
 * While the token in hand would do for want of a better one, at most half of its life is spent on waiting.
 */
export function waitUntil(want: Want, hand: Hand, now: number, deadline: number): number | undefined {
  if (hand.kind === 'restoring') return deadline
  if (hand.kind !== 'signedIn' || isServed(want, hand.token, now)) return undefined
  const { token, refresh } = hand
  if (refresh.kind === 'impossible' || (refresh.kind === 'idle' && refresh.notBefore > now)) return undefined
  const left = want.kind === 'valid' ? leftOf(token, now) : 0
  return left > 0 ? Math.min(deadline, now + left / 2) : deadline
}

/** The answer as things stand. A token that is valid for less than was asked is served, unless the tool is strict. */
export function answerOf(want: Want, hand: Hand, now: number): AnswerInHand {
  switch (hand.kind) {
    case 'signedOut':
      return { kind: 'signedOut' }
    case 'restoring':
      return { kind: 'unavailable', reason: 'keychainUnavailable', retryAt: now + SOON }
    case 'locked':
      return { kind: 'unavailable', reason: 'keychainUnavailable', retryAt: now + WHEN_UNLOCKED }
    case 'signedIn': {
      const { account, token, refresh } = hand
      const left = leftOf(token, now)
      if (token !== undefined && left > 0 && isWanted(want, token)) {
        const isTooShort = want.kind === 'valid' && want.isStrict && left < want.minValidity
        return isTooShort
          ? { kind: 'tooShort', left, minValidity: want.minValidity }
          : { kind: 'token', token, account }
      }
      if (refresh.kind === 'impossible') return { kind: 'signedOut' }
      const { notBefore, failure } = refresh.kind === 'idle' ? refresh : { notBefore: 0, failure: undefined }
      return { kind: 'unavailable', reason: failure ?? 'unreachable', retryAt: Math.max(notBefore, now + SOON) }
    }
    default:
      return assertNever(hand)
  }
}
