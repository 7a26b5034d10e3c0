import type { Clock } from '../base/clock.ts'
import type { AccessToken, RefreshToken } from '../base/secret.ts'
import { type Claims, decodeClaims, withIdentity } from './claims.ts'
import { lifetimeOf, SHORTEST_DELAY } from './schedule.ts'

/** An issuer's tokens. Some issuers give no refresh token. */
export interface TokenPair {
  readonly accessToken: AccessToken
  readonly refreshToken?: RefreshToken
  /** The response's `Date`, in milliseconds since the epoch. */
  readonly serverTime?: number
  /** `expires_in` (RFC 6749 section 5.1), in seconds. */
  readonly expiresIn?: number
  /** Claims of a validated ID token. They name the user if the access token doesn't. */
  readonly identity?: Readonly<Record<string, unknown>>
  /**
   * The Clock's time when the tokens were received. Absent if they are used at once. They are used later if the user
   * must first confirm a new recovery code.
   */
  readonly receivedAt?: number
}

/** Tokens, and the Clock's times when they were received and when they expire. */
export interface ReceivedTokens extends Pick<TokenPair, 'accessToken' | 'refreshToken'> {
  readonly claims: Claims
  readonly receivedAt: number
  readonly expiresAt: number
}

export function receive(tokens: TokenPair, clock: Pick<Clock, 'now' | 'wall'>): ReceivedTokens {
  const { accessToken, refreshToken } = tokens
  const claims = withIdentity(decodeClaims(accessToken), tokens.identity)
  const { receivedAt = clock.now() } = tokens
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    claims,
    receivedAt,
    expiresAt: receivedAt + lifetimeOf(claims, tokens, clock.wall() - clock.now() + receivedAt),
  }
}

/** True if a token has expired by the time of its scheduled refresh. */
export const isShortLived = ({ receivedAt, expiresAt }: Pick<ReceivedTokens, 'receivedAt' | 'expiresAt'>): boolean =>
  expiresAt - receivedAt <= SHORTEST_DELAY
