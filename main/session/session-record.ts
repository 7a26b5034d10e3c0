import type { GrantDescription } from '../../contract/grants.ts'
import type { Clock } from '../base/clock.ts'
import { displayName } from '../base/display-text.ts'
import type { AccessToken, RefreshToken } from '../base/secret.ts'
import type { ReceivedTokens } from './access-token.ts'
import type { EntryContent, StoredRevocation, StoredSession } from './entry.ts'
import type { Grant } from './grants/grant.ts'
import type { WantedContent } from './keychain-plan.ts'
import { NewPassword } from './new-password.ts'
import type { TokenPair } from './ports.ts'
import { afterResponse, type SessionTimes } from './session-end.ts'
import type { Account } from './state.ts'

/** A signed-in session, which exists only in the main process's memory. */
export interface Session {
  readonly signIn: symbol
  readonly account: Account
  readonly sub?: string | undefined
  /** The issuer of the session's tokens. Only this address receives the refresh token. */
  readonly issuer: string
  /** The client that the tokens were issued to. Set only if a revocation must name the client. */
  readonly client?: string | undefined
  /** The newest refresh token, even if it isn't in the keychain yet. Absent if the issuer gave none. */
  readonly refreshToken?: RefreshToken | undefined
  /** The newest access token. It is announced once its refresh token is stored. */
  readonly accessToken?: AccessToken
  /** The expiry of the access token, on the `Clock`. */
  readonly expiresAt?: number
  readonly times?: SessionTimes | undefined
}

export interface PendingRevocation extends StoredRevocation {
  readonly accessToken?: AccessToken | undefined
  /** The expiry of the access token, on the `Clock`. */
  readonly expiresAt?: number | undefined
  /** How many responses have counted as refusals (see `revocation-step.ts`). */
  readonly refusals?: number
  /** A refresh of this token that was under way at the sign-out. Its result replaces the token. */
  readonly pendingRefresh?: Promise<TokenPair | undefined> | undefined
}

/**
 * The account that is shown until an access token names the user. SECURITY: the username comes from the page or the
 * keychain and appears in the tray, so it is cleaned.
 */
const accountOf = (grant: GrantDescription, username: string): Account => ({
  username,
  displayName: displayName(username),
  grant,
})

type GrantIdentity = Pick<Grant, 'description' | 'issuer' | 'client'>

export const newSession = ({ description, issuer, client }: GrantIdentity, username: string): Session => ({
  signIn: Symbol('sign-in'),
  account: accountOf(description, username),
  issuer,
  client,
})

export const resumedSession = (
  { signIn, username, sub, refreshToken, times, ...stored }: StoredSession,
  { description, issuer, client: current }: GrantIdentity,
): Session => ({
  signIn,
  account: accountOf(description, username),
  issuer,
  client: stored.client ?? current,
  sub,
  refreshToken,
  times,
})

export const withTokens = (
  session: Session,
  { accessToken, refreshToken, claims, expiresAt, ...tokens }: ReceivedTokens,
): Session => ({
  ...session,
  account: { ...session.account, displayName: claims.name ?? session.account.displayName },
  accessToken,
  expiresAt,
  refreshToken: refreshToken ?? session.refreshToken,
  sub: claims.sub ?? session.sub,
  times: timesAfter(session, refreshToken, tokens),
})

/**
 * When the session began and will end, as known after a response. A new session begins with its first response. A
 * session that was restored without its start stays without it.
 */
function timesAfter(
  { refreshToken: before, times = {} }: Session,
  refreshToken: RefreshToken | undefined,
  { receivedAtWall: now, sessionEndsAt }: Pick<ReceivedTokens, 'receivedAtWall' | 'sessionEndsAt'>,
): SessionTimes {
  const { startedAt = before === undefined ? now : undefined } = times
  const isSameToken = refreshToken === undefined || before?.equals(refreshToken) === true
  const said = afterResponse(times.said, sessionEndsAt, now, isSameToken)
  return { ...(startedAt !== undefined && { startedAt }), ...(said && { said }) }
}

const stored = ({ signIn, account, issuer, client, sub, refreshToken, times }: Session): StoredSession | undefined =>
  refreshToken && {
    signIn,
    grant: account.grant.name,
    issuer,
    client,
    username: account.username,
    sub,
    refreshToken,
    times,
  }

export class SessionRecord {
  readonly #clock: Clock
  /** Absent until the keychain has been read, or the user has signed in or out. */
  #held: { readonly session?: Session; readonly unused?: StoredSession } | undefined
  #revocations: readonly PendingRevocation[] = []
  #turn = new AbortController()
  #newPassword: NewPassword

  constructor(clock: Clock) {
    this.#clock = clock
    this.#newPassword = new NewPassword(clock, this.turn)
  }

  get session(): Session | undefined {
    return this.#held?.session
  }

  /** A session that the settings can't use. It stays in the keychain until the user signs in or out. */
  get unused(): StoredSession | undefined {
    return this.#held?.unused
  }

  /** Aborted when the user signs in or out, so that work for an old session can't affect a new one. */
  get turn(): AbortSignal {
    return this.#turn.signal
  }

  get revocations(): readonly PendingRevocation[] {
    return this.#revocations
  }

  get newPassword(): NewPassword {
    return this.#newPassword
  }

  /** True once the keychain has been read, or the user has signed in or out. */
  get isDecided(): boolean {
    return this.#held !== undefined
  }

  get entry(): EntryContent {
    const session = this.session === undefined ? this.unused : stored(this.session)
    return { ...(session && { session }), revocations: this.#revocations }
  }

  get wanted(): WantedContent {
    if (!this.isDecided) return this.#revocations.length === 0 ? 'undecided' : 'undecidedRevocations'
    const { session, revocations } = this.entry
    if (session === undefined) return revocations.length === 0 ? 'nothing' : 'revocations'
    return revocations.length === 0 ? 'session' : 'sessionAndRevocations'
  }

  decide(): void {
    this.#held ??= {}
  }

  /** Keeps an earlier run's session in the keychain without using it. */
  setAside(unused: StoredSession): void {
    this.#held = { unused }
  }

  /** Replaces the session at each sign-in, and removes it at each sign-out. */
  replace(session: Session | undefined): void {
    this.#turn.abort()
    this.#turn = new AbortController()
    this.#newPassword = new NewPassword(this.#clock, this.turn)
    this.#held = {}
    if (session !== undefined) this.update(session)
  }

  /** Sets the restored session, or the session with newer tokens. Removes a pending revocation of its refresh token. */
  update(session: Session): void {
    this.#held = { session }
    const { refreshToken } = session
    if (refreshToken === undefined) return
    this.#revocations = this.#revocations.filter((each) => !each.refreshToken.equals(refreshToken))
  }

  /** Adds a revocation, unless its token is in the list or the session's own: a service may give a token again. */
  revoke(revocation: PendingRevocation): void {
    const known = [this.session, ...this.#revocations]
    if (known.some((each) => each?.refreshToken?.equals(revocation.refreshToken))) return
    this.#revocations = [...this.#revocations, revocation]
  }

  advance(revocation: PendingRevocation, next: PendingRevocation | undefined): void {
    this.#revocations = this.#revocations.flatMap((each) => (each === revocation ? (next ?? []) : each))
  }
}
