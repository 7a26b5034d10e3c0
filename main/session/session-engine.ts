import type { ChallengeKind } from '../../contract/challenges.ts'
import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import type { AccessToken } from '../base/secret.ts'
import { nameIn, type ReceivedTokens, receive } from './access-token.ts'
import { type AlarmName, Alarms } from './alarms.ts'
import { entryName } from './entry.ts'
import { RECOVERY_CODE_UNDER_WAY } from './failures.ts'
import type { Grant, GrantInput, Grants, RemovedGrant } from './grants/grant.ts'
import { KeychainSync } from './keychain-sync.ts'
import { PasswordChange, type PasswordChangeInput } from './password-change.ts'
import type { Random, SecretStore, SessionLengths, StoredMarker, TokenPair } from './ports.ts'
import { PublishedState } from './published-state.ts'
import { Refresher } from './refresher.ts'
import { Restore } from './restore.ts'
import { Revoker } from './revoker.ts'
import { newSession, type PendingRevocation, type Session, SessionRecord, withTokens } from './session-record.ts'
import { SignIn } from './sign-in.ts'
import { baseStateOf, isAwaitingKeychain, isEndingOrExpired, type SessionState, tokenOf } from './state.ts'
import { Tasks } from './tasks.ts'

export interface SessionPorts {
  readonly address: string
  /** This installation's id. No other process writes the entries whose names contain it. */
  readonly installation: string
  readonly grants: Grants
  readonly removedGrant?: RemovedGrant | undefined
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly lengths?: SessionLengths
  readonly clock: Clock
  readonly random: Random
  /** True if no connection has this address any more. The engine then only revokes, and restores nothing. */
  readonly isRemoved?: boolean
}

/**
 * The engine of one connection's session: sign in, refresh, restore, sign out. One refresh at a time, for all callers.
 * A rotated refresh token is written before the access token that came with it is announced. A transient failure keeps
 * the session. A sign-out takes effect immediately: tokens in later answers are revoked.
 */
export class SessionEngine {
  readonly #ports: SessionPorts
  readonly #state = new PublishedState()
  readonly #tasks = new Tasks()
  readonly #record: SessionRecord
  readonly #keychain: KeychainSync
  readonly #revoker: Revoker
  readonly #refresher: Refresher
  readonly #alarms: Alarms
  readonly #restore: Restore
  readonly #signIn: SignIn
  readonly #passwordChange: PasswordChange
  /** Aborted when the app ends or the connection's session closes. Nothing new begins from then on. */
  readonly #closing = new AbortController()

  constructor(ports: SessionPorts) {
    const { address, installation, clock } = ports
    this.#ports = ports
    this.#record = new SessionRecord(clock)
    const record = this.#record
    const { signal } = this.#closing
    const common = { ...ports, record, state: this.#state, tasks: this.#tasks, signal }
    this.#keychain = new KeychainSync({ ...common, name: entryName(address, installation) })
    const keychain = this.#keychain
    this.#revoker = new Revoker({ ...common, keychain })
    const revoker = this.#revoker
    this.#refresher = new Refresher({
      ...common,
      keychain,
      onForeign: (tokens, failure) => this.#end(tokens, failure),
    })
    const refresher = this.#refresher
    this.#alarms = new Alarms({ clock, state: this.#state, signal, onAlarm: (alarm) => this.#onAlarm(alarm) })
    this.#restore = new Restore({ ...common, keychain, revoker, refresher })
    this.#signIn = new SignIn({
      ...common,
      revoker,
      onTokens: (grant, username, tokens) => this.#begin(grant, username, tokens),
      onLateTokens: (grant, tokens) => this.#discard(grant, receive(tokens, clock)),
      onFailed: () => void revoker.run(),
    })
    this.#passwordChange = new PasswordChange({ ...common, revoker, refresher })
  }

  get state(): SessionState {
    return this.#state.now
  }

  /** It exists only in the memory of the main process, and of tools that received it. */
  get accessToken(): AccessToken | undefined {
    return this.#refresher.accessToken
  }

  get earliestToolRefresh(): number {
    return this.#refresher.earliestToolRefresh
  }

  /**
   * True if the access token may be handed out: not after `stop()`, and not if it expired during sleep, before the
   * state shows it.
   */
  get hasValidToken(): boolean {
    const token = tokenOf(this.state)
    return !this.#closing.signal.aborted && token !== undefined && token.expiresAt > this.#ports.clock.now()
  }

  /** Calls the listener at once and after every change. Returns a function that removes it. */
  subscribe(listener: (state: SessionState) => void): () => void {
    return this.#state.subscribe(listener)
  }

  /** Restores the session from the keychain, and takes over pending revocations. */
  async start(): Promise<void> {
    this.#alarms.start()
    await this.#restore.start()
  }

  /** Cancels timers and waits for pending work, so that no answer of the service is lost. Doesn't sign out. */
  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#tasks.over()
    await this.#keychain.stop()
    await this.#revoker.idle()
    this.#record.newPassword.end()
    this.#state.close()
  }

  /**
   * Signs in with the grant of this name. A call with the same input joins the sign-in under way; another waits, and
   * replaces one that is waiting. An earlier session stays as it was until this one succeeds, and is then revoked.
   * Resolves with the first step: tokens, a failure, or a challenge, which the state then carries.
   */
  signIn(grant: string, input: GrantInput): Promise<Outcome> {
    return this.#tasks.add(this.#signIn.begin(grant, input))
  }

  /** Answers the challenge that the state carries; resolves with the next step. */
  answerChallenge(id: string, kind: ChallengeKind, input: GrantInput): Promise<Outcome> {
    return this.#tasks.add(this.#signIn.answer(id, kind, input))
  }

  /** The new recovery code that the page shows for the open challenge. */
  recoveryCode(challenge: string): string | undefined {
    return this.#signIn.revealed(challenge)
  }

  /** Opens the page of the open challenge in the browser again. */
  reopenBrowser(challenge: string): Promise<Outcome> {
    return this.#signIn.reopen(challenge)
  }

  /** True while ending the sign-in under way would lose a new recovery code. */
  get holdsRecoveryCode(): boolean {
    return this.#signIn.holdsRecoveryCode
  }

  /** Cancels the sign-in under way, unless its tokens have arrived. */
  cancelSignIn(): void {
    this.#signIn.cancel()
  }

  /** Refreshes now, regardless of the schedule, even if the service has refused the refresh token. */
  refresh(): Promise<Outcome> {
    return this.#refresher.refresh()
  }

  /**
   * Signs out, here at once, then at the service; resolves once it has answered. If it can't be reached, a pending
   * revocation remains, and the state says so. Fails, and changes nothing, while a new recovery code would be lost.
   */
  async signOut(): Promise<Outcome> {
    if (this.holdsRecoveryCode) return RECOVERY_CODE_UNDER_WAY
    await this.#tasks.add(this.#isSignedOut ? this.#stayOut() : this.#end())
    return OK
  }

  /**
   * Changes the password, after a login has proved the current one. The failure is `rejected` if that is wrong, or
   * `passwordRefused` with the service's reason. If the service ends the session over it, signs in again with the new
   * password.
   */
  changePassword(input: PasswordChangeInput): Promise<Outcome> {
    return this.#tasks.add(this.#passwordChange.run(input))
  }

  /** Call this when the computer has woken up, has been unlocked, or has changed networks. */
  wake(): void {
    this.#keychain.wake()
    this.#revoker.wake()
    this.#refresher.wake()
  }

  /** Call this when the keychain may no longer have what was stored in it. */
  verifyEntry(): void {
    void this.#keychain.verify()
  }

  /** Looks for the session in the keychain again. Fails with `keychainUnavailable` if it still can't be read. */
  async lookAgain(): Promise<Outcome> {
    this.#keychain.wake()
    await this.#tasks.add(this.#keychain.idle())
    return baseStateOf(this.state).kind === 'sessionUnread' && !this.#record.isDecided
      ? fail({ code: 'keychainUnavailable' })
      : OK
  }

  get #isSignedOut(): boolean {
    return this.state.kind === 'signedOut' && this.#record.unused === undefined
  }

  /** Makes sure that a late answer of the keychain restores nothing. Tries pending revocations immediately. */
  async #stayOut(): Promise<void> {
    this.#record.replace(undefined)
    this.#keychain.distrustMissing()
    await Promise.all([this.#keychain.sync(), this.#revoker.run()])
  }

  /** Starts the session of a sign-in, replacing the previous one. */
  async #begin(grant: Grant, username: string | undefined, pair: TokenPair): Promise<Outcome> {
    const tokens = receive(pair, this.#ports.clock)
    const { session: old, unused } = this.#record
    const pendingRefresh = this.#refresher.pending?.tokens
    const isSetAside = isEndingOrExpired(baseStateOf(this.state))
    // If no username was typed, the tokens name the user.
    const name = username ?? nameIn(tokens.claims)
    const session = withTokens(newSession(grant, name), tokens)
    this.#record.replace(session)
    // A refused refresh token is not revoked, unless a refresh that the user requested is still under way.
    if (old !== undefined && (!isSetAside || pendingRefresh !== undefined)) this.#revokeSession(old, pendingRefresh)
    if (unused !== undefined) this.#revoker.add(unused)
    // The old session is revoked once the new one is stored.
    const outcome = await this.#refresher.begin(session, tokens)
    void this.#revoker.run()
    return outcome
  }

  /**
   * Ends the session locally, then at the service. `foreign`: received tokens of another account, which must be
   * revoked.
   */
  async #end(foreign?: ReceivedTokens, failure?: Failure): Promise<void> {
    const { session, unused } = this.#record
    const pendingRefresh = foreign === undefined ? this.#refresher.pending?.tokens : undefined
    const life = tokenOf(this.state)
    const isUnknown = isAwaitingKeychain(baseStateOf(this.state))
    this.#record.replace(undefined)
    this.#signIn.abandon()
    const { refreshToken } = foreign ?? {}
    if (session !== undefined && foreign !== undefined && refreshToken !== undefined) {
      this.#revokeSession({ ...session, ...foreign, refreshToken })
    }
    const isPossible =
      (session === undefined || this.#revokeSession(session, pendingRefresh)) &&
      (unused === undefined || this.#revoker.add(unused) !== 'notPossible')
    const isPending = isUnknown || this.#record.revocations.length > 0
    const stored = this.#keychain.sync()
    this.#state.dispatch({
      type: 'signedOut',
      revocation: !isPossible ? 'notPossible' : isPending ? 'pending' : 'none',
      ...(life !== undefined && life.expiresAt > this.#ports.clock.now() ? { handedOutUntil: life.expiresAt } : {}),
      ...(failure === undefined ? {} : { failure }),
    })
    await Promise.all([stored, this.#revoker.run()])
  }

  /** Revokes tokens that arrived after a sign-out. */
  async #discard(grant: Grant, { refreshToken, accessToken, expiresAt }: ReceivedTokens): Promise<void> {
    if (refreshToken === undefined) return
    const { description, issuer, client } = grant
    const { name } = description
    await this.#revoker.revoke({ grant: name, issuer, client, refreshToken, accessToken, expiresAt })
  }

  /** Plans the revocation of a session. False if the issuer can't revoke it. */
  #revokeSession(session: Session, pendingRefresh?: PendingRevocation['pendingRefresh']): boolean {
    const { account, refreshToken, ...rest } = session
    const revocation = { grant: account.grant.name, ...rest, ...(pendingRefresh && { pendingRefresh }) }
    if (refreshToken === undefined) return this.#revoker.canRevoke(revocation)
    return this.#revoker.add({ ...revocation, refreshToken }) !== 'notPossible'
  }

  #onAlarm(alarm: AlarmName): void {
    switch (alarm) {
      case 'refresh':
        void this.#refresher.refresh()
        break
      case 'warn':
        this.#refresher.warn()
        break
      case 'ranOut':
        this.#state.dispatch({ type: 'tokenRanOut' })
        break
    }
  }
}
