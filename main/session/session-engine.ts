import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/retry.ts'
import type { AccessToken } from '../base/secret.ts'
import { Tasks } from '../base/waits.ts'
import type { ReceivedTokens } from './access-token.ts'
import { entryName } from './entry.ts'
import { type FindRemovedGrant, type Grants, RECOVERY_CODE_UNDER_WAY } from './grants/grant.ts'
import { KeychainSync } from './keychain-sync.ts'
import { PasswordChange, type PasswordChangeInput } from './password-change.ts'
import type { SecretStore, SessionLengths, StoredMarker } from './ports.ts'
import { Refresher } from './refresher.ts'
import { Restore } from './restore.ts'
import { Revoker } from './revoker.ts'
import { type AlarmName, alarmsOf } from './schedule.ts'
import { SessionRecord } from './session-record.ts'
import { SignIn } from './sign-in.ts'
import { baseStateOf, isAwaitingKeychain, PublishedState, type SessionState, tokenOf } from './state.ts'

export interface SessionPorts {
  readonly address: string
  /** This installation's id. No other process writes the entries whose names contain it. */
  readonly installation: string
  readonly grants: Grants
  readonly removedGrant?: FindRemovedGrant | undefined
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly lengths?: SessionLengths
  readonly clock: Clock
  readonly random: Random
  /** True if no connection has this address any more. The engine then only revokes, and restores nothing. */
  readonly isRemoved?: boolean
}

/**
 * One connection's session: sign in, refresh, restore, sign out. A new refresh token is written before its access token
 * is announced. A transient failure keeps the session. A sign-out takes effect at once, so tokens that arrive later are
 * revoked.
 */
export class SessionEngine {
  readonly signIn: SignIn
  readonly #ports: SessionPorts
  readonly #state = new PublishedState()
  readonly #tasks = new Tasks()
  readonly #record: SessionRecord
  readonly #keychainSync: KeychainSync
  readonly #revoker: Revoker
  readonly #refresher: Refresher
  readonly #restore: Restore
  readonly #passwordChange: PasswordChange
  #cancelAlarms: readonly (() => void)[] = []
  /** Aborted when the app ends or the session closes. From then on, nothing new begins. */
  readonly #closing = new AbortController()

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#record = new SessionRecord(ports.clock)
    const { signal } = this.#closing
    const common = { ...ports, record: this.#record, state: this.#state, tasks: this.#tasks, signal }
    this.#keychainSync = new KeychainSync({ ...common, name: entryName(ports.address, ports.installation) })
    const withKeychain = { ...common, keychainSync: this.#keychainSync }
    this.#revoker = new Revoker(withKeychain)
    this.#refresher = new Refresher({ ...withKeychain, onForeign: (tokens, failure) => this.#end(tokens, failure) })
    const all = { ...withKeychain, revoker: this.#revoker, refresher: this.#refresher }
    this.#restore = new Restore(all)
    this.signIn = new SignIn(all)
    this.#passwordChange = new PasswordChange(all)
  }

  get state(): SessionState {
    return this.#state.now
  }

  get accessToken(): AccessToken | undefined {
    return this.#refresher.accessToken
  }

  get earliestToolRefresh(): number {
    return this.#refresher.earliestToolRefresh
  }

  /** Whether tools may have the access token. During sleep it may have expired, which the state doesn't show yet. */
  get hasValidToken(): boolean {
    const token = tokenOf(this.state)
    return !this.#closing.signal.aborted && token !== undefined && token.expiresAt > this.#ports.clock.now()
  }

  /** Calls the listener at once and after every change. Returns a function that removes it. */
  subscribe(listener: (state: SessionState) => void): () => void {
    return this.#state.subscribe(listener)
  }

  /** Restores the session from the keychain, and continues pending revocations. */
  async start(): Promise<void> {
    this.#state.subscribe(() => this.#setAlarms())
    await this.#restore.start()
  }

  /** Cancels timers and waits for pending work, so that no response is lost. Doesn't sign out. */
  async stop(): Promise<void> {
    this.#closing.abort()
    this.#setAlarms()
    void this.#keychainSync.sync()
    await this.#tasks.over()
    await this.#keychainSync.finish()
    await this.#revoker.idle()
    this.#record.newPassword.drop()
    this.#state.close()
  }

  /** Refreshes now, whatever the schedule, even if the refresh token was refused. */
  refresh(): Promise<Outcome> {
    return this.#refresher.refresh()
  }

  /**
   * Signs out here at once, then at the service. Resolves once the service has responded. If the service can't be
   * reached, the revocation stays pending. Fails, and changes nothing, while a new recovery code would be lost.
   */
  async signOut(): Promise<Outcome> {
    if (this.signIn.holdsRecoveryCode) return RECOVERY_CODE_UNDER_WAY
    const isSignedOut = this.state.kind === 'signedOut' && this.#record.unused === undefined
    await this.#tasks.add(isSignedOut ? this.#stayOut() : this.#end())
    return OK
  }

  /**
   * Changes the password, after a login has proved the current one. Fails with `rejected` if the current password is
   * wrong, and with `passwordRefused` if the service refuses the change. Signs in again if the change ends the session.
   */
  changePassword(input: PasswordChangeInput): Promise<Outcome> {
    return this.#tasks.add(this.#passwordChange.run(input))
  }

  /** To be called when the computer has woken up, has been unlocked, or has changed networks. */
  wake(): void {
    this.#keychainSync.wake()
    this.#revoker.wake()
    this.#refresher.wake()
  }

  verifyEntry(): void {
    void this.#tasks.add(this.#keychainSync.verify())
  }

  /** Looks for the session in the keychain again. Fails with `keychainUnavailable` if it still can't find one. */
  async lookAgain(): Promise<Outcome> {
    this.#keychainSync.wake()
    await this.#tasks.add(this.#keychainSync.idle())
    return baseStateOf(this.state).kind === 'sessionUnread' && !this.#record.isDecided
      ? fail({ code: 'keychainUnavailable' })
      : OK
  }

  /** Makes sure that nothing is restored, whatever the keychain returns later. Tries pending revocations at once. */
  async #stayOut(): Promise<void> {
    this.#record.replace(undefined)
    this.#keychainSync.distrustMissing()
    await Promise.all([this.#keychainSync.sync(), this.#revoker.run()])
  }

  /**
   * Ends the session here, then at the service.
   * @param foreign received tokens of another account, which must be revoked
   */
  async #end(foreign?: ReceivedTokens, failure?: Failure): Promise<void> {
    const { session, unused } = this.#record
    const pendingRefresh = foreign === undefined ? this.#refresher.pending?.tokens : undefined
    const life = tokenOf(this.state)
    const isUnknown = isAwaitingKeychain(baseStateOf(this.state))
    this.#record.replace(undefined)
    this.signIn.abandon()
    const { refreshToken } = foreign ?? {}
    if (session !== undefined && foreign !== undefined && refreshToken !== undefined) {
      this.#revoker.addSession({ ...session, ...foreign, refreshToken })
    }
    const isPossible =
      (session === undefined || this.#revoker.addSession(session, pendingRefresh)) &&
      (unused === undefined || this.#revoker.add(unused) !== 'notPossible')
    const isPending = isUnknown || this.#record.revocations.length > 0
    const stored = this.#keychainSync.sync()
    this.#state.dispatch({
      type: 'signedOut',
      revocation: !isPossible ? 'notPossible' : isPending ? 'pending' : 'none',
      ...(life !== undefined && life.expiresAt > this.#ports.clock.now() ? { handedOutUntil: life.expiresAt } : {}),
      ...(failure === undefined ? {} : { failure }),
    })
    await Promise.all([stored, this.#revoker.run()])
  }

  #setAlarms(): void {
    const { clock } = this.#ports
    for (const cancel of this.#cancelAlarms) cancel()
    const alarms = this.#closing.signal.aborted ? [] : alarmsOf(this.state)
    this.#cancelAlarms = alarms.map(({ at, name }) => clock.at(at, () => this.#onAlarm(name)))
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
