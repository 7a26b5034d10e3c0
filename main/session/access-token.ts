/** What Latchkey reads from an access token: whom it is for, and how long it lives. */
import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { displayName } from '../base/display-text.ts'
import type { AccessToken, RefreshToken } from '../base/secret.ts'
import type { TokenPair } from './ports.ts'
import { type StatedEnd, statedEnd } from './session-end.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** The claims of an unverified token (RFC 7519 section 4.1), used only to schedule, display and compare users. */
interface Claims {
  /** The time of expiry in seconds since the epoch, by the issuer's clock. It is never 0. */
  readonly exp?: number | undefined
  readonly iat?: number | undefined
  /** The subject. It isn't cleaned like the names, because it is compared but never shown. */
  readonly sub?: string | undefined
  /** The user's name, cleaned for display. */
  readonly name?: string | undefined
  /** The user's account at the issuer (`preferred_username`), cleaned for display. */
  readonly username?: string | undefined
  readonly email?: string | undefined
}

/** A claim with a longer text is ignored. */
const LONGEST_TEXT = 512

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_TEXT))
const name = v.pipe(
  text,
  // SECURITY: the name is cleaned here, because the tray, the window and notifications show it.
  v.transform(displayName),
  v.minLength(1),
)
/** A larger number isn't in seconds, but in milliseconds or smaller units. */
const MOST_SECONDS = 1e11
/** Some issuers send a time as text or in smaller units. */
const seconds = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,20}(?:\.\d{1,9})?$/), v.transform(Number))]),
  v.finite(),
  v.minValue(Number.MIN_VALUE),
  v.transform((time) => {
    let inSeconds = time
    while (inSeconds > MOST_SECONDS) inSeconds /= 1_000
    return inSeconds
  }),
)

// A claim that isn't valid is ignored.
const claimsSchema = v.object({
  exp: v.fallback(v.optional(seconds), undefined),
  iat: v.fallback(v.optional(seconds), undefined),
  sub: v.fallback(v.optional(text), undefined),
  name: v.fallback(v.optional(name), undefined),
  preferred_username: v.fallback(v.optional(name), undefined),
  email: v.fallback(v.optional(name), undefined),
})
const payloadSchema = v.pipe(v.string(), v.parseJson(), claimsSchema)

/** Adds the subject and the names of the ID token if the access token lacks them. */
export function withIdentity(claims: Claims, identity: Readonly<Record<string, unknown>> | undefined): Claims {
  if (identity === undefined) return claims
  const { sub, name, preferred_username, email } = v.parse(claimsSchema, identity)
  return {
    ...claims,
    sub: claims.sub ?? sub,
    name: claims.name ?? name ?? preferred_username,
    username: claims.username ?? preferred_username,
    email: claims.email ?? email,
  }
}

/** The user's name; empty if the tokens don't name the user. */
export const nameIn = ({ username, name, email, sub }: Claims): string =>
  username ?? name ?? email ?? displayName(sub ?? '')

/** Doesn't verify the signature, which is the service's task. Returns no claims if the token isn't a JWT. */
export function decodeClaims(token: AccessToken): Claims {
  const { preferred_username, ...claims } = payloadOf(token) ?? {}
  return { ...claims, name: claims.name ?? preferred_username, username: preferred_username }
}

/** The expiry of a refresh token that is a JWT, by the issuer's clock, in milliseconds since the epoch. */
function decodeExpiry(token: RefreshToken): number | undefined {
  const exp = payloadOf(token)?.exp
  return exp === undefined ? undefined : exp * SECOND
}

function payloadOf(token: AccessToken | RefreshToken): v.InferOutput<typeof claimsSchema> | undefined {
  const [, payload, ...rest] = token.reveal().split('.')
  if (payload === undefined || rest.length !== 1) return undefined
  const parsed = v.safeParse(payloadSchema, Buffer.from(payload, 'base64url').toString('utf8'))
  return parsed.success ? parsed.output : undefined
}

const UNKNOWN_LIFETIME = 5 * MINUTE

const LONGEST_LIFETIME = 366 * 24 * 60 * MINUTE

const SHORTEST_LIFETIME = SECOND

/** If, by the desktop's clock, a token of known lifetime expires sooner than this, that clock is probably wrong. */
const SHORTEST_BY_DESKTOP = 30 * SECOND

/**
 * How long an access token lives after its receipt: from the response's `Date` to `exp`, but never longer than from
 * `iat` to `exp`. The `Date` is needed because a service may return a token that it issued earlier. Without a `Date`,
 * the response's `expires_in` is used (RFC 6749 section 5.1). Without both, the desktop's clock is used if it is
 * plausible.
 */
export function lifetimeOf(
  claims: Claims,
  response: { readonly serverTime?: number; readonly expiresIn?: number },
  wall: number,
): number {
  const { serverTime, expiresIn = Number.NaN } = response
  const told = expiresIn > 0 ? expiresIn * SECOND : undefined
  const exp = claims.exp === undefined ? undefined : claims.exp * SECOND
  const iat = claims.iat === undefined ? undefined : claims.iat * SECOND
  const whole = exp !== undefined && iat !== undefined && iat < exp ? exp - iat : undefined
  if (exp === undefined) return within(told)
  const left = serverTime === undefined ? undefined : exp - serverTime
  // If `exp` lies years back, it may be a duration instead of a time.
  if (left !== undefined && left > -LONGEST_LIFETIME) return within(Math.max(Math.min(left, whole ?? left), 1))
  return within(minOf(whole, told ?? leftByDesktop(exp - wall, whole)))
}

function leftByDesktop(left: number, whole: number | undefined): number | undefined {
  if (whole === undefined) return left > 0 ? left : undefined
  return left >= SHORTEST_BY_DESKTOP ? left : whole
}

const minOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

const within = (lifetime: number | undefined): number =>
  lifetime === undefined ? UNKNOWN_LIFETIME : Math.min(Math.max(lifetime, SHORTEST_LIFETIME), LONGEST_LIFETIME)

/** Tokens with the times of their receipt and expiry on the `Clock`. */
export interface ReceivedTokens {
  readonly accessToken: AccessToken
  readonly refreshToken: RefreshToken | undefined
  readonly claims: Claims
  readonly receivedAt: number
  readonly expiresAt: number
  /** The time of receipt on the wall clock. */
  readonly receivedAtWall: number
  /** The end of the session as the response states it, on the wall clock. */
  readonly sessionEndsAt: StatedEnd['at'] | undefined
}

export function receive(tokens: TokenPair, clock: Pick<Clock, 'now' | 'wall'>): ReceivedTokens {
  const { accessToken, refreshToken } = tokens
  const claims = withIdentity(decodeClaims(accessToken), tokens.identity)
  const { receivedAt = clock.now() } = tokens
  const receivedAtWall = clock.wall() - clock.now() + receivedAt
  const sessionEndsAt = statedEnd(tokens, refreshToken && decodeExpiry(refreshToken), receivedAtWall)
  return {
    accessToken,
    refreshToken,
    claims,
    receivedAt,
    expiresAt: receivedAt + lifetimeOf(claims, tokens, receivedAtWall),
    receivedAtWall,
    sessionEndsAt,
  }
}
