import type { Failure, Kept, Outcome, SignInMethod } from '../../preload/contract.ts'
import { type AlarmName, Alarms, alarmsOf } from './alarms.ts'
import type { SessionEntry } from './entry.ts'
import { PasswordChange } from './password-change.ts'
import type { AuthServices, Clock, Credentials, Issued, Random, SecretStore, StoredMarker } from './ports.ts'
import { type Receipt, receive } from './receipt.ts'
import { refreshOnce } from './refresh.ts'
import { type Condemned, Revocations } from './revocations.ts'
import { backoff, CAP_WHEN_OUT, CAP_WHILE_SERVING, renewalDelay, waitOf } from './schedule.ts'
import type { AccessToken, Password, RefreshToken } from './secret.ts'
import {
  type Account,
  isUnread,
  type SessionEvent,
  type SessionState,
  settledOf,
  type TokenLife,
  tokenOf,
  transition,
} from './state.ts'
import { Vault } from './vault.ts'

export interface SessionPorts {
  /** The connection's normalised base address: it names the keychain entries and the marker. */
  readonly name: string
  readonly services: AuthServices
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
}

/** What is held of a signed-in session. Lives in main process memory alone. */
interface Held {
  readonly account: Account
  readonly sub?: string
  /** The newest, whether the keychain has it yet or not. Absent where the issuer gave none. */
  readonly refreshToken?: RefreshToken
  /** The newest access token. Announced only once the refresh token that came with it has been written. */
  readonly accessToken?: AccessToken
  /** When the access token runs out, on the Clock. */
  readonly expiresAt?: number
}

/** A renewal under way. */
interface Flight {
  readonly outcome: Promise<Outcome>
  /** What the service handed out, whatever became of the session meanwhile. */
  readonly landed: Promise<Issued | undefined>
}

const OK: Outcome = { ok: true, value: undefined }
const fail = (failure: Failure): Outcome => ({ ok: false, failure })
const ended = (cause: string): Failure => ({ code: 'sessionEnded', details: { cause } })
const heldFrom = ({ method, username, sub, refreshToken }: SessionEntry): Held => ({
  account: { username, displayName: username, method },
  ...(sub === undefined ? {} : { sub }),
  refreshToken,
})

/**
 * The engine of one connection's session: sign in, renew, restore, sign out.
 *
 * One refresh at a time, whoever asks. A rotated refresh token is written before the access token that came
 * with it is announced. A transient failure keeps everything. Signing out holds from the moment it is asked
 * for: every answer that lands later belongs to an older generation, and its tokens are revoked.
 */
export class Session {
  readonly #ports: SessionPorts
  readonly #vault: Vault
  readonly #revocations: Revocations | undefined
  readonly #alarms: Alarms
  readonly #listeners = new Set<(state: SessionState) => void>()
  #state: SessionState = { kind: 'restoring' }
  #held: Held | undefined
  /** Counts sign-ins and sign-outs. What was begun under another number must not touch the session. */
  #generation = 0
  #flight: Flight | undefined
  #signingIn: Promise<Outcome> | undefined
  #passwordChange: PasswordChange
  /** Failures in a row. */
  #attempts = 0
  /** The service's own `Retry-After`, on the Clock: only the user may come sooner. */
  #notBefore = 0
  #restoring = false
  #cancelRestore: (() => void) | undefined
  /** What `stop` waits for. */
  readonly #underWay = new Set<Promise<unknown>>()
  #stopped = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#alarms = new Alarms(ports.clock, (name) => this.#ring(name))
    this.#passwordChange = new PasswordChange(ports.clock)
    this.#vault = new Vault({
      ...ports,
      onKept: (kept) => this.#dispatch({ type: 'keptChanged', kept }),
      onLeft: ({ method, refreshToken }) => this.#condemn(method, { refreshToken }),
      mayForget: () => this.#revocations?.isSafe !== false,
      onForgotten: () => this.#revocationsSettled(),
    })
    const service = ports.services.password
    if (service?.logout !== undefined) {
      this.#revocations = new Revocations({
        ...ports,
        service: { refresh: service.refresh.bind(service), logout: service.logout.bind(service) },
        onSettled: () => this.#revocationsSettled(),
      })
    }
  }

  get state(): SessionState {
    return this.#state
  }

  /** Delivers the present state at once and each new one; returns the undo. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#state)
    return () => this.#listeners.delete(listener)
  }

  /** Restores what the keychain holds, and takes up what an earlier run left to revoke. */
  async start(): Promise<void> {
    await Promise.all([this.#restore(), this.#revocations?.run()])
  }

  /** Ends timers and waits for what is under way, so that no reply of the service is lost. Signs nobody out. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#alarms.clear()
    this.#cancelRestore?.()
    void this.#revocations?.stop()
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    await this.#vault.stop()
    // What came to an end meanwhile may have begun one more.
    await this.#revocations?.stop()
    this.#passwordChange.end()
    this.#listeners.clear()
  }

  /**
   * Signs in; a call while one is under way joins it. A refusal leaves an earlier session as it was, a success
   * revokes it.
   */
  signIn(method: SignInMethod, credentials: Credentials): Promise<Outcome> {
    if (this.#signingIn !== undefined) return this.#signingIn
    const signingIn = this.#track(this.#signIn(method, credentials)).finally(() => {
      if (this.#signingIn === signingIn) this.#signingIn = undefined
    })
    this.#signingIn = signingIn
    return signingIn
  }

  /** Renews now, whatever the schedule says; a set-aside refresh token is tried once more. */
  renew(): Promise<Outcome> {
    return this.#renew()
  }

  /**
   * Signs out: here at once, then at the service. Resolves when the service has been asked; where it could not
   * be reached, the token waits among the pending revocations and the state says so.
   */
  async signOut(): Promise<Outcome> {
    if (this.#state.kind === 'signedOut') await this.#revocations?.run()
    else await this.#track(this.#end())
    return OK
  }

  /**
   * Changes the password, and proves by a refresh that the session has survived it; where the service ended it,
   * signs in again with the new password. `passwordRefused` carries the service's reason.
   */
  changePassword(newPassword: Password): Promise<Outcome> {
    return this.#track(this.#changePassword(newPassword))
  }

  /** Something may have changed: the computer woke, was unlocked, or met another network. */
  wake(): void {
    if (this.#stopped) return
    this.#vault.wake()
    this.#revocations?.wake()
    const { kind } = settledOf(this.#state)
    if (kind === 'keychainLocked') void this.#restore()
    else if (kind === 'unreachable' && this.#ports.clock.now() >= this.#notBefore) void this.#renew()
  }

  async #restore(): Promise<void> {
    if (this.#restoring || this.#held !== undefined || this.#stopped) return
    this.#restoring = true
    await this.#track(this.#restoreOnce())
  }

  async #restoreOnce(): Promise<void> {
    this.#cancelRestore?.()
    const generation = this.#generation
    await this.#revocations?.load()
    const stored = await this.#vault.read()
    this.#restoring = false
    // Who signed in or out meanwhile has taken care of what is stored.
    if (generation !== this.#generation || this.#stopped) return
    switch (stored.kind) {
      case 'nothing':
        this.#nothingStored(this.#revocations?.isEmpty === false ? 'pending' : 'none')
        break
      case 'leaving':
        this.#nothingStored('pending')
        await this.#vault.forget()
        break
      case 'locked':
        this.#dispatch({ type: 'keychainLocked' })
        this.#restoreLater()
        break
      case 'session':
        await this.#resume(stored.entry)
        break
    }
  }

  #restoreLater(): void {
    const { clock, random } = this.#ports
    this.#attempts += 1
    const delay = 1_000 + backoff(this.#attempts, CAP_WHILE_SERVING, random)
    this.#cancelRestore = clock.at(clock.now() + delay, () => void this.#restore())
  }

  async #resume(entry: SessionEntry): Promise<void> {
    this.#attempts = 0
    if (this.#ports.services[entry.method] === undefined) {
      this.#dispatch({ type: 'signedOut', revocation: 'none', failure: { code: 'notConfigured' } })
    } else {
      this.#held = heldFrom(entry)
      this.#vault.take(entry.refreshToken)
      await this.#renew()
    }
  }

  #nothingStored(revocation: 'none' | 'pending'): void {
    this.#dispatch({ type: 'nothingStored', revocation })
  }

  async #signIn(method: SignInMethod, credentials: Credentials): Promise<Outcome> {
    const service = this.#ports.services[method]
    if (service === undefined) return fail({ code: 'notConfigured' })
    const asked = this.#generation
    this.#dispatch({ type: 'signInStarted' })
    const answer = await service.login(credentials)
    if (asked !== this.#generation) {
      if (answer.ok) await this.#condemn(method, receive(answer.value, this.#ports.clock))
      return fail(ended('signed out meanwhile'))
    }
    if (!answer.ok) {
      this.#dispatch({ type: 'signInFailed' })
      return answer
    }
    const old = this.#held
    const { kind } = settledOf(this.#state)
    const landing = this.#flight?.landed
    this.#newGeneration()
    const { username } = credentials
    this.#held = { account: { username, displayName: username, method } }
    const adopted = this.#fly(
      Promise.resolve(undefined),
      this.#adopt(receive(answer.value, this.#ports.clock), 'signedIn'),
    )
    const outcome = await adopted
    // The old session goes once the new one is safe. A token that was set aside as refused goes without asking.
    const isSetAside = kind === 'ending' || kind === 'expired'
    if (old !== undefined && (!isSetAside || landing !== undefined)) {
      // An entry is never restored once its token has been condemned.
      if (this.#vault.kept === 'unwritten') this.#vault.disown()
      await this.#condemn(old.account.method, old, landing)
    }
    return outcome
  }

  async #changePassword(newPassword: Password): Promise<Outcome> {
    const held = this.#held
    if (held === undefined) return fail(ended('there is no session'))
    const service = this.#ports.services[held.account.method]
    if (service?.changePassword === undefined) return fail({ code: 'notConfigured' })
    const generation = this.#generation
    const isCurrent = () => generation === this.#generation
    const change = this.#passwordChange
    const send = async (): Promise<Outcome> => {
      const { accessToken, expiresAt = 0 } = this.#held ?? {}
      if (!isCurrent() || accessToken === undefined || expiresAt <= this.#ports.clock.now()) {
        return fail(ended('there is no access token'))
      }
      return change.send(newPassword, async () => service.changePassword?.(accessToken, newPassword) ?? OK)
    }
    let answer = await send()
    if (!answer.ok && answer.failure.code === 'sessionEnded' && isCurrent()) {
      // Only the access token is missing or was refused: a fresh one may do.
      const renewed = await this.#renew()
      if (!renewed.ok) return renewed
      answer = await send()
    }
    if (change.isUnproven) {
      // A refresh begun before the change proves nothing.
      await this.#flight?.outcome
      if (isCurrent()) await this.#renew()
    }
    return answer
  }

  #renew(): Promise<Outcome> {
    if (this.#flight !== undefined) return this.#flight.outcome
    const held = this.#held
    const service = held && this.#ports.services[held.account.method]
    if (held?.refreshToken === undefined || service === undefined || this.#stopped) {
      return Promise.resolve(fail(ended('there is no session to renew')))
    }
    const generation = this.#generation
    const change = this.#passwordChange
    const isProof = change.isUnproven
    const answer = refreshOnce({
      ...held,
      refreshToken: held.refreshToken,
      service,
      vault: this.#vault,
      isCurrent: () => generation === this.#generation,
      onOther: (refreshToken) => {
        this.#hold({ refreshToken })
        this.#vault.take(refreshToken)
      },
      newPassword: () => change.password(),
    })
    const outcome = answer.then((landed) => {
      if (isProof && (landed.ok || landed.failure.code === 'sessionEnded')) change.drop()
      // Signed out or signed in anew meanwhile: whoever did it has taken care of what landed.
      return generation === this.#generation ? this.#land(landed) : fail(ended('signed out meanwhile'))
    })
    const flight = this.#fly(
      answer.then((landed) => (landed.ok ? landed.value : undefined)),
      outcome,
    )
    this.#dispatch({ type: 'renewalStarted' })
    return flight
  }

  /** Until it is over, whoever asks for a renewal gets this one. */
  #fly(landed: Promise<Issued | undefined>, over: Promise<Outcome>): Promise<Outcome> {
    const outcome = this.#track(over).finally(() => {
      if (this.#flight === flight) this.#flight = undefined
    })
    const flight: Flight = { landed, outcome }
    this.#flight = flight
    return outcome
  }

  async #land(answer: Outcome<Issued>): Promise<Outcome> {
    const { clock, random } = this.#ports
    const { account, sub } = this.#hold({})
    if (answer.ok) {
      const receipt = receive(answer.value, clock)
      if (sub === undefined || receipt.claims.sub === undefined || receipt.claims.sub === sub) {
        return this.#adopt(receipt, 'tokenReceived')
      }
      const failure = ended('the service answered with the token of another account')
      await this.#end(receipt, failure)
      return fail(failure)
    }
    const { failure } = answer
    const now = clock.now()
    if (failure.code === 'sessionEnded') {
      this.#dispatch({ type: 'renewalRefused', account, failure, kept: this.#kept, now })
      return answer
    }
    this.#attempts += 1
    this.#notBefore = Math.max(this.#notBefore, now + waitOf(failure.retryAfter))
    const isServing = (tokenOf(this.#state)?.expiresAt ?? 0) > now
    const pause = backoff(this.#attempts, isServing ? CAP_WHILE_SERVING : CAP_WHEN_OUT, random)
    const retryAt = Math.max(this.#notBefore, now + pause)
    this.#dispatch({ type: 'renewalFailed', account, failure, retryAt, kept: this.#kept, now })
    return answer
  }

  /** Takes what the service handed out: holds it, writes it, and only then announces it. */
  async #adopt(receipt: Receipt, type: 'signedIn' | 'tokenReceived'): Promise<Outcome> {
    const generation = this.#generation
    const { accessToken, refreshToken, claims, receivedAt, expiresAt } = receipt
    const held = this.#hold({
      accessToken,
      expiresAt,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(claims.sub === undefined ? {} : { sub: claims.sub }),
    })
    this.#attempts = 0
    this.#notBefore = 0
    const kept = await this.#keep(held)
    if (generation !== this.#generation) return fail(ended('signed out meanwhile'))
    const renewsAt = receivedAt + renewalDelay(expiresAt - receivedAt, this.#ports.random)
    const token: TokenLife = { receivedAt, expiresAt, ...(held.refreshToken === undefined ? {} : { renewsAt }) }
    const account = { ...held.account, displayName: claims.name ?? held.account.displayName }
    this.#hold({ account })
    this.#dispatch({ type, account, token, kept })
    return OK
  }

  async #keep({ account, sub, refreshToken }: Held): Promise<Kept> {
    if (refreshToken === undefined) {
      // An entry from before is of another session.
      this.#vault.leave()
      void this.#vault.forget()
      return 'memory'
    }
    const { username, method } = account
    return this.#vault.keep({ method, username, ...(sub === undefined ? {} : { sub }), refreshToken })
  }

  /** Ends the session here and now, then at the service. `tokens`: what to revoke, where it isn't what is held. */
  async #end(tokens?: Condemned | Receipt, failure?: Failure): Promise<void> {
    const { clock } = this.#ports
    const held = this.#held
    const landing = tokens === undefined ? this.#flight?.landed : undefined
    const life = tokenOf(this.#state)
    const isPending = held !== undefined || isUnread(settledOf(this.#state)) || this.#revocations?.isEmpty === false
    const isPossible = held === undefined || this.#canRevoke(held.account.method)
    this.#newGeneration()
    const generation = this.#generation
    this.#held = undefined
    this.#signingIn = undefined
    this.#vault.leave()
    this.#dispatch({
      type: 'signedOut',
      revocation: !isPossible ? 'notPossible' : isPending ? 'pending' : 'none',
      ...(life !== undefined && life.expiresAt > clock.now() ? { handedOutUntil: life.expiresAt } : {}),
      ...(failure === undefined ? {} : { failure }),
    })
    if (held !== undefined) await this.#condemn(held.account.method, tokens ?? held, landing)
    // After a new sign-in the entry is that one's.
    if (generation === this.#generation) await this.#vault.forget()
    await this.#revocations?.run()
  }

  /** What was begun before finds itself out of date. */
  #newGeneration(): void {
    this.#generation += 1
    this.#flight = undefined
    this.#cancelRestore?.()
    this.#passwordChange.end()
    this.#passwordChange = new PasswordChange(this.#ports.clock)
  }

  /** Sends tokens to be revoked, where their issuer can; resolves when that is safe in the keychain, or can't be. */
  async #condemn(
    method: SignInMethod,
    { refreshToken, accessToken, expiresAt }: Partial<Condemned>,
    landing?: Promise<Issued | undefined>,
  ): Promise<void> {
    // A service that gives the same token twice must not lose it here.
    if (refreshToken === undefined || this.#held?.refreshToken?.equals(refreshToken)) return
    const revocations = this.#canRevoke(method) ? this.#revocations : undefined
    this.#dispatch({ type: 'revocationChanged', revocation: revocations === undefined ? 'notPossible' : 'pending' })
    const access = accessToken === undefined || expiresAt === undefined ? {} : { accessToken, expiresAt }
    await revocations?.add({ refreshToken, ...access }, landing)
    void revocations?.run()
  }

  #canRevoke(method: SignInMethod): boolean {
    return method === 'password' && this.#revocations !== undefined
  }

  #revocationsSettled(): void {
    if (this.#revocations?.isEmpty !== false) this.#dispatch({ type: 'revocationChanged', revocation: 'done' })
  }

  #hold(change: Partial<Held>): Held {
    if (this.#held === undefined) throw new Error('no session is held')
    this.#held = { ...this.#held, ...change }
    return this.#held
  }

  get #kept(): Kept {
    return this.#held?.refreshToken === undefined ? 'memory' : this.#vault.kept
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work)
    const over = () => this.#underWay.delete(work)
    work.then(over, over)
    return work
  }

  #dispatch(event: SessionEvent): void {
    const next = transition(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    if (!this.#stopped) this.#alarms.set(alarmsOf(next))
    for (const listener of this.#listeners) {
      // A listener may have moved it on.
      if (this.#state === next) listener(next)
    }
  }

  #ring(name: AlarmName): void {
    switch (name) {
      case 'renew':
        void this.#renew()
        break
      case 'ranOut':
        this.#dispatch({ type: 'tokenRanOut' })
        break
      case 'warn':
        this.#warn()
        break
    }
  }

  /** A session that nobody can renew says so in time. */
  #warn(): void {
    const { account } = this.#hold({})
    const failure = ended('the identity provider gave no refresh token')
    const now = this.#ports.clock.now()
    this.#dispatch({ type: 'renewalRefused', account, failure, kept: this.#kept, now })
  }
}
