import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import type { SessionEnd } from '../../contract/views.ts'
import type { AccessToken, RefreshToken } from '../base/secret.ts'
import { type ReceivedTokens, receive } from './access-token.ts'
import { type Capable, isCapable, SUPERSEDED, sessionEnded } from './grants/grant.ts'
import type { KeychainSync } from './keychain-sync.ts'
import type { SessionParts } from './parts.ts'
import type { SessionLengths, TokenPair } from './ports.ts'
import {
  afterFailure,
  earliestToolRefresh,
  endingFailure,
  NO_FAILURES,
  type RefreshFailures,
  refreshDelay,
  retryAt,
} from './schedule.ts'
import { endOf, lengthOf } from './session-end.ts'
import { type Session, withTokens } from './session-record.ts'
import { type Account, baseStateOf, isEndingOrExpired, tokenOf } from './state.ts'

interface PendingRefresh {
  readonly outcome: Promise<Outcome>
  /** The new tokens, even if the user has signed out or in meanwhile. */
  readonly tokens: Promise<TokenPair | undefined>
  readonly turn: AbortSignal
}

interface RefresherPorts extends SessionParts {
  readonly address: string
  readonly keychainSync: Pick<KeychainSync, 'sync' | 'kept'>
  readonly lengths?: SessionLengths | undefined
  /** Ends the session, because the new token belongs to another account. */
  readonly onForeign: (tokens: ReceivedTokens, failure: Failure) => Promise<void>
}

/** Keeps the session's tokens fresh, with one refresh for all callers. New tokens are stored, then announced. */
export class Refresher {
  readonly #ports: RefresherPorts
  #accessToken: AccessToken | undefined
  #pending: PendingRefresh | undefined
  #failures: RefreshFailures = NO_FAILURES
  /** The time on the wall clock at which the current session last received tokens. */
  #aliveAt: number | undefined

  constructor(ports: RefresherPorts) {
    this.#ports = ports
  }

  get accessToken(): AccessToken | undefined {
    if (tokenOf(this.#ports.state.now) === undefined) this.#accessToken = undefined
    return this.#accessToken
  }

  get pending(): PendingRefresh | undefined {
    return this.#pending?.turn.aborted ? undefined : this.#pending
  }

  get earliestToolRefresh(): number {
    return earliestToolRefresh(this.#failures)
  }

  /** Refreshes now, whatever the schedule, or joins the refresh under way. */
  refresh(): Promise<Outcome> {
    if (this.pending !== undefined) return this.pending.outcome
    const { grants, record, state, signal } = this.#ports
    const { session, newPassword, turn } = record
    const grant = session && grants.get(session.account.grant.name)
    if (session?.refreshToken === undefined || !isCapable(grant, 'refresh') || signal.aborted) {
      return Promise.resolve(fail(sessionEnded('there is no session to refresh')))
    }
    const isProof = newPassword.isHeld
    const response = this.#exchange(session.account, session.refreshToken, grant)
    const outcome = response.then((result) => {
      if (isProof && (result.ok || result.failure.code === 'sessionEnded')) newPassword.drop()
      // If the user has signed out or in meanwhile, the new tokens are revoked with the old session.
      return turn.aborted ? SUPERSEDED : this.#handleResponse(result)
    })
    const tokens = response.then((each) => (each.ok ? each.value : undefined))
    const joined = this.#track(tokens, outcome)
    state.dispatch({ type: 'refreshStarted' })
    return joined
  }

  /** Stores and announces a sign-in's tokens. Until then, `refresh` sends nothing and gets the same outcome. */
  begin(session: Session, tokens: ReceivedTokens): Promise<Outcome> {
    this.#failures = NO_FAILURES
    return this.#track(Promise.resolve(undefined), this.#announce(session, tokens, 'signedIn'))
  }

  /** Retries a failed refresh at once, unless the service asked for a longer wait. */
  wake(): void {
    const { state, clock } = this.#ports
    if (baseStateOf(state.now).kind === 'unreachable' && clock.now() >= this.#failures.notBefore) void this.refresh()
  }

  warn(): void {
    this.#refused(this.#endedHere('the identity provider gave no refresh token'))
  }

  #track(tokens: Promise<TokenPair | undefined>, over: Promise<Outcome>): Promise<Outcome> {
    const { record, tasks } = this.#ports
    const { turn } = record
    const outcome = tasks.add(over).finally(() => {
      if (this.#pending?.turn === turn) this.#pending = undefined
    })
    this.#pending = { tokens, outcome, turn }
    return outcome
  }

  /** Exchanges the refresh token. If a password change ended the session, signs in with the new password instead. */
  async #exchange(
    account: Account,
    refreshToken: RefreshToken,
    grant: Capable<'refresh'>,
  ): Promise<Outcome<TokenPair>> {
    const { newPassword, turn } = this.#ports.record
    const response = await grant.refresh(refreshToken)
    const isRefused = () => !response.ok && this.#ends(response.failure)?.code === 'sessionEnded' && !turn.aborted
    if (!isRefused()) return response
    // If a password change is pending, its response decides whether to sign in with the new password.
    const password = await newPassword.get()
    if (password === undefined || !isRefused()) return response
    const login = await grant.begin({ username: account.username, password })
    if (login.kind === 'tokens') return { ok: true, value: login.tokens }
    // Only the user can answer a challenge, so the user must sign in again.
    if (login.kind === 'challenge') login.challenge.cancel()
    return login.kind === 'challenge' || login.failure.code === 'rejected' ? response : fail(login.failure)
  }

  /** The failure to report if this failure ends the session; `undefined` if the session continues. */
  #ends(failure: Failure): Failure | undefined {
    return endingFailure(afterFailure(this.#failures, failure, this.#ports.clock.now()), failure)
  }

  async #handleResponse(response: Outcome<TokenPair>): Promise<Outcome> {
    const { clock, record, onForeign } = this.#ports
    if (!response.ok) return fail(this.#failed(response.failure))
    const tokens = receive(response.value, clock)
    const { session } = record
    if (session === undefined) return SUPERSEDED
    const { sub } = tokens.claims
    if (session.sub === undefined || sub === undefined || sub === session.sub) {
      this.#failures = NO_FAILURES
      return this.#announce(session, tokens, 'tokenReceived')
    }
    const failure = this.#endedHere('the service answered with the token of another account')
    await onForeign(tokens, failure)
    return fail(failure)
  }

  async #announce(session: Session, tokens: ReceivedTokens, type: 'signedIn' | 'tokenReceived'): Promise<Outcome> {
    const { random, record, keychainSync, state } = this.#ports
    const { turn } = record
    const { receivedAt, expiresAt, receivedAtWall } = tokens
    const next = withTokens(session, tokens)
    record.update(next)
    await keychainSync.sync()
    if (turn.aborted) return SUPERSEDED
    this.#accessToken = tokens.accessToken
    this.#aliveAt = receivedAtWall
    const canRefresh = next.refreshToken !== undefined
    const refreshesAt = receivedAt + refreshDelay(expiresAt - receivedAt, random)
    const token = { receivedAt, expiresAt, ...(canRefresh && { refreshesAt }) }
    state.dispatch({ type, account: next.account, token, kept: keychainSync.kept, end: this.#endOf(next) })
    return OK
  }

  #endedHere(cause: string): Failure {
    const { address, clock } = this.#ports
    return {
      code: 'sessionEnded',
      details: { cause, host: new URL(address).host, at: new Date(clock.wall()).toISOString() },
    }
  }

  /** The refresh token was refused: only the user or the next start tries it again. The access token is still used. */
  #refused(failure: Failure): void {
    const { clock, record, keychainSync, state } = this.#ports
    const { session } = record
    if (session === undefined) return
    const { account } = session
    state.dispatch({ type: 'refreshRefused', account, failure, kept: keychainSync.kept, now: clock.now() })
  }

  /** Ends the session or schedules a retry. Returns the failure as the user sees it. */
  #failed(failure: Failure): Failure {
    const { clock, random, record, keychainSync, state } = this.#ports
    const { session } = record
    if (session === undefined) return failure
    const now = clock.now()
    const refusal = this.#ends(failure)
    this.#failures = afterFailure(this.#failures, failure, now)
    if (refusal !== undefined) {
      this.#noteLength(session)
      this.#refused(refusal)
      return refusal
    }
    const hasValidToken = (tokenOf(state.now)?.expiresAt ?? 0) > now
    const { account } = session
    const next = retryAt(this.#failures, now, hasValidToken, random)
    const end = this.#endOf(session)
    state.dispatch({ type: 'refreshFailed', account, failure, retryAt: next, kept: keychainSync.kept, end, now })
    return failure
  }

  #endOf({ issuer, times = {} }: Session): SessionEnd | undefined {
    const { clock, lengths } = this.#ports
    return endOf(times, lengths?.lengthsAt(issuer) ?? [], clock.wall())
  }

  /** Records how long the session lasted, unless its issuer has refused the session before. */
  #noteLength({ issuer, times }: Session): void {
    const { clock, lengths, state } = this.#ports
    if (times?.startedAt === undefined || this.#aliveAt === undefined || isEndingOrExpired(baseStateOf(state.now)))
      return
    const length = lengthOf(times.startedAt, this.#aliveAt, clock.wall())
    if (length !== undefined) lengths?.addLength(issuer, length)
  }
}
