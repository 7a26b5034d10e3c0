import { type Claims, decodeClaims } from './claims.ts'
import type { Clock, Issued } from './ports.ts'
import { lifetimeOf } from './schedule.ts'
import type { AccessToken, RefreshToken } from './secret.ts'

/** What a service handed out, as received: its life is counted on the Clock from that moment. */
export interface Receipt {
  readonly accessToken: AccessToken
  readonly refreshToken?: RefreshToken
  readonly claims: Claims
  readonly receivedAt: number
  readonly expiresAt: number
}

export function receive(issued: Issued, clock: Pick<Clock, 'now' | 'wall'>): Receipt {
  const { accessToken, refreshToken } = issued
  const claims = decodeClaims(accessToken)
  const receivedAt = clock.now()
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    claims,
    receivedAt,
    expiresAt: receivedAt + lifetimeOf(claims, issued, clock.wall()),
  }
}
