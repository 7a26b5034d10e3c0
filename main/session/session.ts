import { type Failure, fail, OK, OTHER_ISSUER, type Outcome } from '../../contract/failures.ts'
import type { SignInMethod } from '../../contract/sign-in-methods.ts'
import type { AlarmName } from './alarms.ts'
import type { SessionEntry } from './entry.ts'
import { accountOf, Holding, heldFrom } from './held.ts'
import { ended, OVERTAKEN } from './outcome.ts'
import { PasswordChange, type PasswordChangeInput } from './password-change.ts'
import type { AuthServices, Clock, Credentials, Issued, Random, SecretStore, StoredMarker } from './ports.ts'
import { PublishedState } from './published-state.ts'
import { type Receipt, receive } from './receipt.ts'
import { Renewal } from './renewal.ts'
import { Restore } from './restore.ts'
import { type Condemned, Revocations } from './revocations.ts'
import type { AccessToken, RefreshToken } from './secret.ts'
import { SignInTurns } from './sign-in-turns.ts'
import { isGivenUp, isUnread, type SessionState, settledOf, tokenOf } from './state.ts'
import { UnderWay } from './under-way.ts'
import { Vault } from './vault.ts'

export interface SessionPorts {
  /** The connection's normalised base address: it names the keychain entries and the marker. */
  readonly name: string
  /** The provider that single sign-on sessions without an issuer came from. */
  readonly earlierProvider?: string | undefined
  readonly services: AuthServices
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  /** No connection has this address any more: what was signed out of is settled, and no session restored. */
  readonly isLeft?: boolean
}

/**
 * The engine of one connection's session: sign in, renew, restore, sign out.
 *
 * One refresh at a time, whoever asks. A rotated refresh token is written before the access token that came
 * with it is announced. A transient failure keeps everything. Signing out holds from the moment it is asked
 * for: every answer that lands later is of a session that is over, and its tokens are revoked.
 */
export class Session {
  readonly #ports: SessionPorts
  readonly #holding: Holding
  readonly #state: PublishedState
  readonly #vault: Vault
  readonly #revocations: Revocations | undefined
  readonly #renewal: Renewal
  readonly #restore: Restore
  readonly #passwordChange: PasswordChange
  readonly #underWay = new UnderWay()
  readonly #turns = new SignInTurns()
  /** The keychain has a session that can't be used with these settings. It stays until the user signs in or out. */
  #hasUnusable = false
  #isStopped = false

  constructor(ports: SessionPorts) {
    const { clock, services } = ports
    this.#ports = ports
    const holding = new Holding(clock)
    const state = new PublishedState(clock, (name) => this.#ring(name))
    const vault = new Vault({
      ...ports,
      onKept: (kept) => state.dispatch({ type: 'keptChanged', kept }),
      onLeft: async (entry) => {
        // SECURITY: the token of an entry is revoked where it came from, or nowhere.
        if (this.#isOurs(entry)) await this.#condemn(entry.method, { refreshToken: entry.refreshToken })
        else state.dispatch({ type: 'revocationChanged', revocation: 'notPossible' })
      },
      isCondemned: (refreshToken) => this.#revocations?.isCondemned(refreshToken) === true,
      spare: async (refreshToken, isWanted) => this.#revocations?.spare(refreshToken, isWanted) ?? true,
      mayForget: () => this.#revocations?.isSafe !== false,
      onForgotten: () => this.#revocationsSettled(),
    })
    const service = services.password
    if (service?.logout !== undefined) {
      this.#revocations = new Revocations({
        ...ports,
        service: { refresh: service.refresh.bind(service), logout: service.logout.bind(service) },
        // Whoever signs in now may be given the same token again.
        isInUse: (refreshToken) => this.state.kind === 'signingIn' || (this.#isHeld(refreshToken) && !this.#isSetAside),
        onSettled: () => this.#revocationsSettled(),
        onPostponed: (failure) => state.dispatch({ type: 'revocationPostponed', failure }),
      })
    }
    const around = { ...ports, holding, state, vault, underWay: this.#underWay }
    this.#renewal = new Renewal({ ...around, onForeign: (receipt, failure) => this.#end(receipt, failure) })
    const resume = async (entry: SessionEntry) => {
      if (ports.isLeft === true) state.dispatch({ type: 'nothingStored', revocation: 'none' })
      else await this.#resume(entry)
    }
    this.#restore = new Restore({ ...around, revocations: this.#revocations, resume })
    this.#passwordChange = new PasswordChange({
      ...around,
      renewal: this.#renewal,
      revoke: (method, receipt) => void this.#underWay.add(this.#condemn(method, receipt)),
    })
    this.#holding = holding
    this.#state = state
    this.#vault = vault
  }

  get state(): SessionState {
    return this.#state.now
  }

  /** The access token whose life the state tells. Main process memory, and whom it is handed to, alone. */
  get accessToken(): AccessToken | undefined {
    return this.#renewal.announced
  }

  /** When a tool's demand may begin another renewal, on the Clock. */
  get demandFrom(): number {
    return this.#renewal.demandFrom
  }

  /**
   * Whether the access token may be handed out: a session that was closed hands out none, and of a token that ran out in a
   * sleep of which nobody told the state tells minutes late.
   */
  get isServing(): boolean {
    const token = tokenOf(this.state)
    return !this.#isStopped && token !== undefined && token.expiresAt > this.#ports.clock.now()
  }

  /** Delivers the present state at once and each new one; returns the undo. */
  subscribe(listener: (state: SessionState) => void): () => void {
    return this.#state.subscribe(listener)
  }

  /** Restores what the keychain holds, and takes up what an earlier run left to revoke. */
  async start(): Promise<void> {
    await Promise.all([this.#restore.run(), this.#revocations?.run()])
  }

  /** Ends timers and waits for what is under way, so that no reply of the service is lost. Signs nobody out. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#turns.clear()
    this.#state.stop()
    this.#restore.stop()
    this.#renewal.stop()
    void this.#revocations?.stop()
    await this.#underWay.over()
    await this.#vault.stop()
    // What came to an end meanwhile may have begun one more.
    await this.#revocations?.stop()
    this.#holding.newPassword.end()
    this.#state.close()
  }

  /**
   * Signs in. A call with the same credentials joins the one under way; with others it waits for that to end, and of
   * those that wait only the newest counts. A refusal leaves an earlier session as it was, a success revokes it.
   */
  signIn(method: SignInMethod, credentials: Credentials): Promise<Outcome> {
    return this.#underWay.add(this.#turns.take(method, credentials, () => this.#signIn(method, credentials)))
  }

  /** Renews now, whatever the schedule says; a set-aside refresh token is tried once more. */
  renew(): Promise<Outcome> {
    return this.#renewal.renew()
  }

  /**
   * Signs out: here at once, then at the service. Resolves when the service has been asked; where it could not
   * be reached, the token waits among the pending revocations and the state says so.
   */
  async signOut(): Promise<Outcome> {
    if (this.state.kind === 'signedOut' && !this.#hasUnusable) {
      // Nor is restored, in this run, what the keychain has yet to answer.
      this.#restore.leave()
      await this.#revocations?.run()
    } else await this.#underWay.add(this.#end())
    return OK
  }

  /**
   * Changes the password once a login has proven the current one (else `rejected`), and proves by a refresh that the
   * session has survived. If the service ended it, signs in again with the new password. `passwordRefused` carries the
   * service's reason.
   */
  changePassword(input: PasswordChangeInput): Promise<Outcome> {
    return this.#underWay.add(this.#passwordChange.run(input))
  }

  /** Something may have changed: the computer woke, was unlocked, or met another network. */
  wake(): void {
    if (this.#isStopped) return
    this.#vault.wake()
    this.#revocations?.wake()
    this.#renewal.wake()
    void this.#restore.run()
  }

  async #resume(entry: SessionEntry): Promise<void> {
    const service = this.#ports.services[entry.method]
    // SECURITY: a refresh token goes to the issuer it came from. A page can change where the settings point.
    if (service === undefined || !this.#isOurs(entry)) {
      this.#hasUnusable = true
      const failure: Failure = service === undefined ? { code: 'notConfigured' } : ended(OTHER_ISSUER)
      this.#state.dispatch({ type: 'signedOut', revocation: 'none', failure })
      return
    }
    this.#holding.resume(heldFrom(entry, service.issuer))
    this.#vault.take(entry.refreshToken)
    await this.#renewal.renew()
  }

  async #signIn(method: SignInMethod, credentials: Credentials): Promise<Outcome> {
    const service = this.#ports.services[method]
    if (service === undefined) return fail({ code: 'notConfigured' })
    const isCurrent = this.#holding.sameSession()
    this.#state.dispatch({ type: 'signInStarted' })
    const answer = await service.login(credentials)
    if (!isCurrent()) {
      if (answer.ok) await this.#condemn(method, receive(answer.value, this.#ports.clock))
      return OVERTAKEN
    }
    if (!answer.ok) {
      this.#state.dispatch({ type: 'signInFailed' })
      return answer
    }
    const isSetAside = isGivenUp(settledOf(this.state))
    const old = this.#holding.held
    const landing = this.#renewal.flight?.landed
    const { username } = credentials
    this.#hasUnusable = false
    this.#holding.replace({ account: accountOf(method, username), issuer: service.issuer })
    const outcome = await this.#renewal.begin(receive(answer.value, this.#ports.clock))
    // The old session goes once the new one is safe. A token that was set aside as refused goes without asking.
    if (old !== undefined && (!isSetAside || landing !== undefined)) {
      // An entry is never restored once its token has been condemned.
      if (this.#vault.kept === 'unwritten') this.#vault.disown()
      void this.#underWay.add(this.#condemn(old.account.method, old, landing))
    }
    return outcome
  }

  /** Ends the session here and now, then at the service. `foreign`: what else came that must not live on. */
  async #end(foreign?: Receipt, failure?: Failure): Promise<void> {
    const { held } = this.#holding
    const landing = foreign === undefined ? this.#renewal.flight?.landed : undefined
    const life = tokenOf(this.state)
    const isPending = held !== undefined || isUnread(settledOf(this.state)) || this.#revocations?.isEmpty === false
    const isPossible = held === undefined || this.#canRevoke(held.account.method)
    this.#hasUnusable = false
    this.#holding.replace(undefined)
    const isCurrent = this.#holding.sameSession()
    this.#turns.clear()
    this.#vault.leave()
    this.#state.dispatch({
      type: 'signedOut',
      revocation: !isPossible ? 'notPossible' : isPending ? 'pending' : 'none',
      ...(life !== undefined && life.expiresAt > this.#ports.clock.now() ? { handedOutUntil: life.expiresAt } : {}),
      ...(failure === undefined ? {} : { failure }),
    })
    if (held !== undefined) {
      if (foreign !== undefined) await this.#condemn(held.account.method, foreign)
      await this.#condemn(held.account.method, held, landing)
    }
    // What was condemned is being asked about already.
    else void this.#revocations?.run()
    // After a new sign-in the entry is that one's.
    if (isCurrent()) await this.#vault.forget()
    await this.#revocations?.running
  }

  /** Sends tokens to be revoked, where their issuer can; resolves when that is safe in the keychain, or can't be. */
  async #condemn(
    method: SignInMethod,
    { refreshToken, accessToken, expiresAt }: Partial<Condemned>,
    landing?: Promise<Issued | undefined>,
  ): Promise<void> {
    // A service that gives the same token twice must not lose it here.
    if (refreshToken === undefined || this.#isHeld(refreshToken)) return
    const revocations = this.#canRevoke(method) ? this.#revocations : undefined
    this.#state.dispatch({
      type: 'revocationChanged',
      revocation: revocations === undefined ? 'notPossible' : 'pending',
    })
    const access = accessToken === undefined || expiresAt === undefined ? {} : { accessToken, expiresAt }
    await revocations?.add({ refreshToken, ...access }, landing)
    // What was left may go now, before its token is renewed: another copy of the program would go on with the old one.
    this.#vault.wake()
    void revocations?.run()
  }

  /** Whether these settings name the issuer that the entry's token came from. */
  #isOurs({ method, issuer }: SessionEntry): boolean {
    return issuer !== undefined && this.#ports.services[method]?.issuer === issuer
  }

  #isHeld(refreshToken: RefreshToken): boolean {
    return this.#holding.held?.refreshToken?.equals(refreshToken) === true
  }

  /** What is held was refused, or will be, and nobody asks with it now. */
  get #isSetAside(): boolean {
    return isGivenUp(settledOf(this.state)) && this.#renewal.flight === undefined
  }

  #canRevoke(method: SignInMethod): boolean {
    return method === 'password' && this.#revocations !== undefined
  }

  #revocationsSettled(): void {
    // What was left may go now.
    this.#vault.wake()
    if (this.#revocations?.isEmpty === false) return
    this.#state.dispatch({ type: 'revocationChanged', revocation: this.#revocations?.end ?? 'done' })
  }

  #ring(alarm: AlarmName): void {
    switch (alarm) {
      case 'renew':
        void this.#renewal.renew()
        break
      case 'warn':
        this.#renewal.warn()
        break
      case 'ranOut':
        this.#state.dispatch({ type: 'tokenRanOut' })
        this.#renewal.look()
        break
    }
  }
}
