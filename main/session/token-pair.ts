import { type Claims, decodeClaims, withIdentity } from './claims.ts'
import type { Clock } from './ports.ts'
import { lifetimeOf } from './schedule.ts'
import type { AccessToken, RefreshToken } from './secret.ts'

/** An issuer's tokens. Some issuers give no refresh token. */
export interface TokenPair {
  readonly accessToken: AccessToken
  readonly refreshToken?: RefreshToken
  /** The response's `Date`, in milliseconds since the epoch. */
  readonly serverTime?: number
  /** `expires_in` (RFC 6749 section 5.1), in seconds. */
  readonly expiresIn?: number
  /** Claims of a validated ID token, because an access token may not name the user. */
  readonly identity?: Readonly<Record<string, unknown>>
  /**
   * When the tokens were received, on the Clock. Only present if the tokens are used later, after the user has
   * confirmed a new recovery code.
   */
  readonly receivedAt?: number
}

/** Tokens with the time of their receipt. Their lifetimes count on the Clock from that time. */
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
