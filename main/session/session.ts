import type { Failure, Kept, Outcome, SignInMethod } from '../../preload/contract.ts'
import { decodeClaims } from './claims.ts'
import type { SessionEntry } from './entry.ts'
import type {
  AuthService,
  AuthServices,
  Clock,
  Credentials,
  Issued,
  Random,
  SecretStore,
  StoredMarker,
} from './ports.ts'
import { Revocations } from './revocations.ts'
import {
  backoff,
  CAP_WHEN_OUT,
  CAP_WHILE_SERVING,
  LONGEST_RETRY_AFTER,
  lifetimeOf,
  renewalDelay,
  warningTime,
} from './schedule.ts'
import type { AccessToken, Password, RefreshToken } from './secret.ts'
import { type Account, type SessionEvent, type SessionState, type TokenLife, tokenOf, transition } from './state.ts'
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
  /** The service refused the refresh token; it is set aside and asked with again only by the user or a restart. */
  readonly refused: boolean
}

type Tokens = Pick<Held, 'refreshToken' | 'accessToken'>

/** A refresh under way. */
interface Flight {
  readonly outcome: Promise<Outcome>
  /** What the service handed out, whatever became of the session meanwhile. */
  readonly landed: Promise<Issued | undefined>
}

const OK: Outcome = { ok: true, value: undefined }
const fail = (failure: Failure): Outcome => ({ ok: false, failure })
const heldFrom = ({ method, username, sub, refreshToken }: SessionEntry): Held => ({
  account: { username, displayName: username, method },
  ...(sub === undefined ? {} : { sub }),
  refreshToken,
  refused: false,
})
const ended = (cause: string): Failure => ({ code: 'sessionEnded', details: { cause } })

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
  readonly #listeners = new Set<(state: SessionState) => void>()
  #state: SessionState = { kind: 'restoring' }
  #held: Held | undefined
  /** Counts sign-ins and sign-outs. What was begun under another number must not touch the session. */
  #generation = 0
  #flight: Flight | undefined
  #signingIn: Promise<Outcome> | undefined
  /** In hand from a password change until the session is proven. */
  #newPassword: Password | undefined
  #attempts = 0
  /** The service's own `Retry-After`, on the Clock: only the user may come sooner. */
  #notBefore = 0
  #restoring = false
  #cancelTimers: readonly (() => void)[] = []
  #stopped = false

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#vault = new Vault({ ...ports, onKept: (kept) => this.#dispatch({ type: 'keptChanged', kept }) })
    const service = ports.services.password
    if (service?.logout !== undefined) {
      this.#revocations = new Revocations({
        ...ports,
        service: { refresh: service.refresh.bind(service), logout: service.logout.bind(service) },
        onSettled: () => this.#dispatch({ type: 'revocationChanged', revocation: 'done' }),
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
    await Promise.all([this.#restore(), this.#revocations?.load()])
    if (this.#revocations?.isEmpty === false) this.#dispatch({ type: 'revocationChanged', revocation: 'pending' })
    await this.#revocations?.run()
  }

  /** Ends timers and waits for what is under way, so that no reply of the service is lost. Signs nobody out. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#disarm()
    await Promise.all([this.#signingIn, this.#flight?.outcome])
    await Promise.all([this.#vault.stop(), this.#revocations?.stop()])
    this.#listeners.clear()
  }

  /** Signs in; a call while one is under way joins it. A refusal leaves an earlier session as it was. */
  signIn(method: SignInMethod, credentials: Credentials): Promise<Outcome> {
    this.#signingIn ??= this.#signIn(method, credentials).finally(() => {
      this.#signingIn = undefined
    })
    return this.#signingIn
  }

  /** Renews now, whatever the schedule says; a set-aside refresh token is tried once more. */
  async renew(): Promise<Outcome> {
    if (this.#held?.refreshToken === undefined) return fail(ended('there is no session to renew'))
    return this.#renew()
  }

  /**
   * Signs out: here at once, then at the service. Resolves when the service has been asked; where it could not
   * be reached, the token waits among the pending revocations and the state says so.
   */
  async signOut(): Promise<Outcome> {
    await this.#end()
    return OK
  }

  /**
   * Changes the password, and proves by a refresh that the session has survived it; where the service ended it,
   * signs in again with the new password. `passwordRefused` carries the service's reason.
   */
  async changePassword(newPassword: Password): Promise<Outcome> {
    const held = this.#held
    const service = held && this.#ports.services[held.account.method]
    if (service?.changePassword === undefined) return fail({ code: 'notConfigured' })
    const generation = this.#generation
    const send = async (): Promise<Outcome> => {
      const accessToken = this.#held?.accessToken
      if (generation !== this.#generation || accessToken === undefined) return fail(ended('signed out meanwhile'))
      return service.changePassword?.(accessToken, newPassword) ?? fail({ code: 'notConfigured' })
    }
    if (tokenOf(this.#state) === undefined) {
      const renewed = await this.#renew()
      if (!renewed.ok) return renewed
    }
    let answer = await send()
    if (!answer.ok && answer.failure.code === 'sessionEnded') {
      // Only the access token was refused: a fresh one may do.
      const renewed = await this.#renew()
      if (!renewed.ok) return renewed
      answer = await send()
    }
    if (!answer.ok || generation !== this.#generation) return answer
    this.#newPassword = newPassword
    await this.#prove(generation)
    this.#newPassword = undefined
    return OK
  }

  /** Something may have changed: the computer woke, was unlocked, or met another network. */
  wake(): void {
    if (this.#stopped) return
    this.#vault.wake()
    this.#revocations?.wake()
    const state = this.#state.kind === 'signingIn' ? this.#state.from : this.#state
    if (state.kind === 'keychainLocked') void this.#restore()
    else if (state.kind === 'unreachable' && this.#ports.clock.now() >= this.#notBefore) void this.#renew()
  }

  async #restore(): Promise<void> {
    if (this.#restoring) return
    this.#restoring = true
    const generation = this.#generation
    const stored = await this.#vault.read()
    this.#restoring = false
    if (generation !== this.#generation || this.#held !== undefined || this.#stopped) return
    switch (stored.kind) {
      case 'nothing':
        this.#dispatch({ type: 'nothingStored' })
        break
      case 'locked':
        this.#dispatch({ type: 'keychainLocked' })
        this.#attempts += 1
        break
      case 'leaving':
        this.#held = heldFrom(stored.entry)
        await this.#end()
        break
      case 'session':
        await this.#resume(stored.entry)
        break
    }
    this.#arm()
  }

  async #resume(entry: SessionEntry): Promise<void> {
    this.#attempts = 0
    if (this.#ports.services[entry.method] === undefined) {
      this.#dispatch({ type: 'signedOut', revocation: 'none', failure: { code: 'notConfigured' } })
      return
    }
    this.#held = heldFrom(entry)
    await this.#renew()
  }

  async #signIn(method: SignInMethod, credentials: Credentials): Promise<Outcome> {
    const service = this.#ports.services[method]
    if (service === undefined) return fail({ code: 'notConfigured' })
    const generation = this.#generation
    this.#dispatch({ type: 'signInStarted' })
    const answer = await service.login(credentials)
    if (generation !== this.#generation) {
      if (answer.ok) await this.#condemn(method, answer.value)
      return fail(ended('signed out meanwhile'))
    }
    if (!answer.ok) {
      this.#dispatch({ type: 'signInFailed' })
      return answer
    }
    await this.#leaveHeld()
    const claims = decodeClaims(answer.value.accessToken)
    this.#held = {
      account: { username: credentials.username, displayName: claims.name ?? credentials.username, method },
      ...(claims.sub === undefined ? {} : { sub: claims.sub }),
      refused: false,
    }
    await this.#adopt(answer.value)
    return OK
  }

  /** Turns a new sign-in into a new generation: what the old session still held is revoked. */
  async #leaveHeld(): Promise<void> {
    const old = this.#held
    const flight = this.#flight
    this.#generation += 1
    this.#flight = undefined
    if (old?.refreshToken !== undefined && (!old.refused || flight !== undefined))
      await this.#condemn(old.account.method, old, flight?.landed)
  }

  /** Refreshes after a password change. A refresh begun before it proves nothing; a transient failure little. */
  async #prove(generation: number): Promise<void> {
    const { clock, random } = this.#ports
    await this.#flight?.outcome
    for (let attempt = 1; attempt <= 3 && generation === this.#generation; attempt++) {
      const proven = await this.#renew()
      if (proven.ok || proven.failure.code === 'sessionEnded') return
      await new Promise<void>((resolve) => {
        clock.at(clock.now() + backoff(attempt, CAP_WHILE_SERVING, random), resolve)
      })
    }
  }

  #renew(): Promise<Outcome> {
    if (this.#flight !== undefined) return this.#flight.outcome
    const held = this.#held
    const service = held && this.#ports.services[held.account.method]
    if (held?.refreshToken === undefined || service === undefined || this.#stopped) {
      return Promise.resolve(fail(ended('there is no session to renew')))
    }
    const generation = this.#generation
    const answer = this.#ask(service, held.refreshToken, generation)
    const flight: Flight = {
      landed: answer.then((landed) => (landed.ok ? landed.value : undefined)),
      outcome: answer
        .then((landed) => this.#land(landed, generation))
        .finally(() => {
          if (this.#flight === flight) this.#flight = undefined
          if (generation === this.#generation) this.#arm()
        }),
    }
    this.#flight = flight
    this.#disarm()
    this.#dispatch({ type: 'renewalStarted' })
    return flight.outcome
  }

  /**
   * One refresh. Before a refusal is believed: another copy of the program may have rotated the token, then its
   * one is used once; a password change may have ended the session, then the new password, still in hand, does.
   */
  async #ask(service: AuthService, sent: RefreshToken, generation: number): Promise<Outcome<Issued>> {
    const refused = (answer: Outcome<Issued>) =>
      !answer.ok && answer.failure.code === 'sessionEnded' && generation === this.#generation
    let answer = await service.refresh(sent)
    if (!refused(answer)) return answer
    const stored = await this.#vault.read()
    if (generation !== this.#generation) return answer
    if (stored.kind === 'session' && !stored.entry.refreshToken.equals(sent)) {
      this.#hold({ refreshToken: stored.entry.refreshToken })
      answer = await service.refresh(stored.entry.refreshToken)
    }
    const username = this.#held?.account.username
    if (!refused(answer) || this.#newPassword === undefined || username === undefined) return answer
    const login = await service.login({ username, password: this.#newPassword })
    return !login.ok && login.failure.code === 'rejected' ? answer : login
  }

  async #land(answer: Outcome<Issued>, generation: number): Promise<Outcome> {
    const held = this.#held
    // Signed out or signed in anew meanwhile: whoever did it has taken care of what landed.
    if (generation !== this.#generation || held === undefined) return fail(ended('signed out meanwhile'))
    if (answer.ok) {
      const { sub } = decodeClaims(answer.value.accessToken)
      if (held.sub !== undefined && sub !== undefined && sub !== held.sub) return this.#endForeign(answer.value)
      await this.#adopt(answer.value)
      return OK
    }
    const { failure } = answer
    const { clock, random } = this.#ports
    const now = clock.now()
    if (failure.code === 'sessionEnded') {
      this.#hold({ refused: true })
      this.#dispatch({ type: 'renewalRefused', account: held.account, failure, kept: this.#kept(), now })
      return answer
    }
    this.#attempts += 1
    const serving = (tokenOf(this.#state)?.expiresAt ?? 0) > now
    const wait = Math.min((failure.retryAfter ?? 0) * 1_000, LONGEST_RETRY_AFTER)
    this.#notBefore = now + wait
    const delay = Math.max(wait, backoff(this.#attempts, serving ? CAP_WHILE_SERVING : CAP_WHEN_OUT, random))
    this.#dispatch({
      type: 'renewalFailed',
      account: held.account,
      failure,
      retryAt: now + delay,
      kept: this.#kept(),
      now,
    })
    return answer
  }

  /** Takes what the service handed out: holds it, writes it, and only then announces it. */
  async #adopt(issued: Issued): Promise<void> {
    const { clock, random } = this.#ports
    const generation = this.#generation
    const receivedAt = clock.now()
    const claims = decodeClaims(issued.accessToken)
    const lifetime = lifetimeOf(claims, issued, clock.wall())
    const held = this.#hold({
      accessToken: issued.accessToken,
      ...(issued.refreshToken === undefined ? {} : { refreshToken: issued.refreshToken }),
      ...(claims.sub === undefined ? {} : { sub: claims.sub }),
      refused: false,
    })
    this.#attempts = 0
    this.#notBefore = 0
    const kept = await this.#keep(held)
    if (generation !== this.#generation) return
    const token: TokenLife = {
      receivedAt,
      expiresAt: receivedAt + lifetime,
      ...(held.refreshToken === undefined ? {} : { renewsAt: receivedAt + renewalDelay(lifetime, random) }),
    }
    const account = { ...held.account, displayName: claims.name ?? held.account.displayName }
    this.#dispatch({ type: 'tokenReceived', account, token, kept })
    this.#arm()
  }

  async #keep({ account, sub, refreshToken }: Held): Promise<Kept> {
    if (refreshToken === undefined) return 'memory'
    const { username, method } = account
    return this.#vault.keep({ method, username, ...(sub === undefined ? {} : { sub }), refreshToken })
  }

  /** The refreshed token is somebody else's: it is logged out at the service and the session ends. */
  async #endForeign(issued: Issued): Promise<Outcome> {
    const failure = ended('the service answered with the token of another account')
    await this.#end(issued, failure)
    return fail(failure)
  }

  /** Ends the session here and now, then at the service. `tokens`: what to revoke, where it isn't what is held. */
  async #end(tokens?: Tokens, failure?: Failure): Promise<void> {
    const held = this.#held
    const landing = tokens === undefined ? this.#flight?.landed : undefined
    const life = tokenOf(this.#state)
    const unread = this.#state.kind === 'restoring' || this.#state.kind === 'keychainLocked'
    this.#generation += 1
    const generation = this.#generation
    this.#held = undefined
    this.#flight = undefined
    this.#disarm()
    this.#vault.leave()
    const pending = held !== undefined || this.#revocations?.isEmpty === false
    this.#dispatch({
      type: 'signedOut',
      revocation: held?.account.method === 'sso' ? 'notPossible' : pending ? 'pending' : 'none',
      ...(life !== undefined && life.expiresAt > this.#ports.clock.now() ? { handedOutUntil: life.expiresAt } : {}),
      ...(failure === undefined ? {} : { failure }),
    })
    if (held !== undefined) await this.#condemn(held.account.method, tokens ?? held, landing)
    // An entry that could not be read holds a token still to be revoked: the next start finds it marked and does so.
    // And after a new sign-in the entry is that one's.
    if ((held !== undefined || !unread) && generation === this.#generation) await this.#vault.forget()
    await this.#revocations?.run()
  }

  /** Sends tokens to be revoked, where their issuer can. */
  async #condemn(
    method: SignInMethod,
    { refreshToken, accessToken }: Tokens,
    landing?: Promise<Issued | undefined>,
  ): Promise<void> {
    if (method !== 'password' || refreshToken === undefined || this.#revocations === undefined) return
    const condemned = accessToken === undefined ? { refreshToken } : { refreshToken, accessToken }
    await this.#revocations.add(condemned, landing)
    void this.#revocations.run()
  }

  #hold(change: Partial<Held>): Held {
    if (this.#held === undefined) throw new Error('no session is held')
    this.#held = { ...this.#held, ...change }
    return this.#held
  }

  #kept(): Kept {
    const state = this.#state.kind === 'signingIn' ? this.#state.from : this.#state
    return 'kept' in state ? state.kept : this.#ports.store.persistence
  }

  #dispatch(event: SessionEvent): void {
    const next = transition(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    for (const listener of this.#listeners) listener(next)
  }

  /** Sets the timers that the present state needs, and no other. */
  #arm(): void {
    this.#disarm()
    if (this.#stopped) return
    const { clock, random } = this.#ports
    const state = this.#state.kind === 'signingIn' ? this.#state.from : this.#state
    const timers: (() => void)[] = []
    const at = (deadline: number, action: () => void) => timers.push(clock.at(deadline, action))
    const ranOut = () => this.#dispatch({ type: 'tokenRanOut' })
    switch (state.kind) {
      case 'active':
        if (state.token.renewsAt === undefined) at(warningTime(state.token), () => this.#warn())
        else at(state.token.renewsAt, () => void this.#renew())
        break
      case 'unreachable':
        at(state.retryAt, () => void this.#renew())
        if (state.token !== undefined) at(state.token.expiresAt, ranOut)
        break
      case 'ending':
        at(state.token.expiresAt, ranOut)
        break
      case 'keychainLocked':
        at(clock.now() + 1_000 + backoff(this.#attempts, CAP_WHILE_SERVING, random), () => void this.#restore())
        break
      case 'restoring':
      case 'signedOut':
      case 'expired':
        break
    }
    this.#cancelTimers = timers
  }

  #disarm(): void {
    for (const cancel of this.#cancelTimers) cancel()
    this.#cancelTimers = []
  }

  /** A session that nobody can renew says so in time. */
  #warn(): void {
    const held = this.#held
    if (held === undefined) return
    this.#dispatch({
      type: 'renewalRefused',
      account: held.account,
      failure: ended('the identity provider gave no refresh token'),
      kept: this.#kept(),
      now: this.#ports.clock.now(),
    })
    this.#arm()
  }
}
