import { randomBytes, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import * as v from 'valibot'
import type { DemoUser } from './users.ts'

export type TokenPair = Awaited<ReturnType<TokenIssuer['signIn']>>

interface IssuerOptions {
  /** In milliseconds since the epoch. */
  readonly now: () => number
  /** In seconds. */
  readonly tokenLifetime: number
  /** For this many seconds after its first use, a refresh token can still be exchanged. */
  readonly grace: number
  /** In seconds; by default without a limit. */
  readonly sessionLifetime?: number | undefined
  /** Claims of every access token, in addition to the user's. */
  readonly claims?: Readonly<Record<string, string>>
}

interface Family {
  readonly name: string
  readonly user: DemoUser
  readonly endsAt: number
  revoked: boolean
}

/** Remembers all tokens for tests. Refresh tokens belong to families (RFC 9700 section 4.14.2). */
export class TokenIssuer {
  readonly #options: IssuerOptions
  readonly #key = randomBytes(32)
  readonly #refreshTokens = new Map<string, { readonly family: Family; spentAt?: number }>()
  readonly #accessTokens = new Map<string, { readonly user: DemoUser; readonly expiresAt: number }>()
  readonly #uses = new Map<string, { sent: number; replayed: number; answered: boolean }>()
  readonly #secrets: string[] = []

  constructor(options: IssuerOptions) {
    this.#options = options
  }

  signIn(user: DemoUser, { refreshable = true } = {}) {
    const { sessionLifetime = Number.POSITIVE_INFINITY, now } = this.#options
    const endsAt = now() + sessionLifetime * 1_000
    return this.#issue({ name: randomUUID(), user, endsAt, revoked: false }, refreshable)
  }

  /** `undefined` if the token is refused. During the grace period, a spent token yields another, equally valid pair. */
  async exchange(refreshToken: string): Promise<TokenPair | undefined> {
    const found = this.#refreshTokens.get(refreshToken)
    if (!found) return undefined
    if (!this.isRefreshTokenValid(refreshToken)) {
      // SECURITY: two clients have the token, and one of them may be a thief.
      found.family.revoked = true
      return undefined
    }
    found.spentAt ??= this.#options.now()
    const delivered = () => {
      this.#useOf(refreshToken).answered = true
    }
    return { ...(await this.#issue(found.family, true)), delivered }
  }

  /** Counts a use of the refresh token in this field. Call this with every body. */
  noteSent(body: unknown, field: string): void {
    const sent = v.safeParse(v.looseObject({ [field]: v.string() }), body)
    if (!sent.success) return
    const use = this.#useOf(sent.output[field] as string)
    use.sent += 1
    if (use.answered) use.replayed += 1
  }

  /** `undefined` if the token isn't valid any more. */
  holderOf(accessToken: string): DemoUser | undefined {
    const found = this.#accessTokens.get(accessToken)
    return found && this.#options.now() < found.expiresAt ? found.user : undefined
  }

  /** Ends the token's family, as an administrator would. */
  revoke(refreshToken: string): void {
    const found = this.#refreshTokens.get(refreshToken)
    if (found) found.family.revoked = true
  }

  isRefreshTokenValid(refreshToken: string): boolean {
    const { now, grace } = this.#options
    const found = this.#refreshTokens.get(refreshToken)
    if (!found || found.family.revoked || now() >= found.family.endsAt) return false
    return found.spentAt === undefined || now() - found.spentAt < grace * 1_000
  }

  /** An id that all refresh tokens of a sign-in share; `undefined` for an unknown token. */
  familyOf(refreshToken: string): string | undefined {
    return this.#refreshTokens.get(refreshToken)?.family.name
  }

  /** How often the token was sent for exchange, with or without success. */
  refreshCount(refreshToken: string): number {
    return this.#useOf(refreshToken).sent
  }

  /** How often a client sent a token (by default, any) although it already had the answer. A correct one never does. */
  replayCount(refreshToken?: string): number {
    const uses = refreshToken === undefined ? [...this.#uses.values()] : [this.#useOf(refreshToken)]
    return uses.reduce((sum, { replayed }) => sum + replayed, 0)
  }

  /** Every secret issued and every PKCE verifier received, in order. */
  issuedSecrets(): string[] {
    return [...this.#secrets]
  }

  /** Creates a secret that isn't a token, for the list of issued secrets. */
  newSecret(shaped = (secret: string) => secret): string {
    const secret = shaped(randomBytes(32).toString('base64url'))
    this.#secrets.push(secret)
    return secret
  }

  noteSecret(secret: string): void {
    this.#secrets.push(secret)
  }

  async #issue(family: Family, refreshable: boolean) {
    const { tokenLifetime, now, claims: fixed } = this.#options
    const { username, name } = family.user
    const refreshToken = refreshable ? this.newSecret() : undefined
    if (refreshToken !== undefined) this.#refreshTokens.set(refreshToken, { family })
    const iat = Math.floor(now() / 1_000)
    const exp = iat + tokenLifetime
    const profile = { sub: `demo|${username}`, preferred_username: username, name }
    // Without `jti` (RFC 7519 section 4.1.7), two tokens of the same second would be identical.
    const claims = { ...fixed, ...profile, iat, exp, jti: randomUUID() }
    const accessToken = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(this.#key)
    this.#secrets.push(accessToken)
    this.#accessTokens.set(accessToken, { user: family.user, expiresAt: exp * 1_000 })
    return {
      accessToken,
      refreshToken,
      /** In seconds. */
      expiresIn: tokenLifetime,
      /** To be called when the client has the complete answer. */
      delivered: () => {},
    }
  }

  #useOf(refreshToken: string) {
    const use = this.#uses.get(refreshToken) ?? { sent: 0, replayed: 0, answered: false }
    this.#uses.set(refreshToken, use)
    return use
  }
}
