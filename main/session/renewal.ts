import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Kept } from '../../contract/views.ts'
import type { Held, Holding } from './held.ts'
import { ended, OVERTAKEN } from './outcome.ts'
import type { AuthServices, Clock, Issued, Random } from './ports.ts'
import type { PublishedState } from './published-state.ts'
import { type Receipt, receive } from './receipt.ts'
import { otherToken, refreshOnce } from './refresh.ts'
import { backoff, CAP_WHEN_OUT, CAP_WHILE_SERVING, mayBeDone, renewalDelay, waitOf } from './schedule.ts'
import type { AccessToken } from './secret.ts'
import { isGivenUp, settledOf, type TokenLife, tokenOf } from './state.ts'
import type { UnderWay } from './under-way.ts'
import type { Vault } from './vault.ts'

/** A renewal under way. */
interface Flight {
  readonly outcome: Promise<Outcome>
  /** What the service handed out, whatever became of the session meanwhile. */
  readonly landed: Promise<Issued | undefined>
  readonly isCurrent: () => boolean
}

interface RenewalPorts {
  /** The connection's normalised base address. */
  readonly name: string
  readonly services: AuthServices
  readonly clock: Clock
  readonly random: Random
  readonly holding: Holding
  readonly vault: Vault
  readonly state: PublishedState
  readonly underWay: UnderWay
  /** Ends the session: what came is the token of somebody else. */
  readonly onForeign: (receipt: Receipt, failure: Failure) => Promise<void>
}

/** However many tools ask, a service that fails is asked no more often than this because of them: milliseconds. */
const DEMAND_PAUSE = 1_000

/** When another copy of the program is looked for after a refusal, each after the one before: milliseconds. */
const LOOKS = [1_000, 4_000]

/** Keeps the session's tokens fresh: one refresh at a time, whoever asks, written before it is announced. */
export class Renewal {
  readonly #ports: RenewalPorts
  #flight: Flight | undefined
  /** Failures in a row. */
  #attempts = 0
  /** Of them, the last ones in a row that may have spent the token: it serves once more only within a grace. */
  #lost = 0
  /** The service's own `Retry-After`, on the Clock: only the user may come sooner. */
  #notBefore = 0
  #failedAt = Number.NEGATIVE_INFINITY
  #announced: AccessToken | undefined
  #endPause = (): void => {}
  #isStopped = false

  constructor(ports: RenewalPorts) {
    this.#ports = ports
  }

  /** The one of the present session. */
  get flight(): Flight | undefined {
    return this.#flight?.isCurrent() ? this.#flight : undefined
  }

  /** The access token that the state tells of: the newest that has been announced. */
  get announced(): AccessToken | undefined {
    if (tokenOf(this.#ports.state.now) === undefined) this.#announced = undefined
    return this.#announced
  }

  /** When a tool's demand may begin another renewal, on the Clock. */
  get demandFrom(): number {
    return Math.max(this.#notBefore, this.#failedAt + DEMAND_PAUSE)
  }

  /** Renews now, whatever the schedule says, or joins the renewal under way. */
  renew(): Promise<Outcome> {
    if (this.flight !== undefined) return this.flight.outcome
    const { services, holding, vault, state } = this.#ports
    const { held, newPassword } = holding
    const service = held && services[held.account.method]
    if (held?.refreshToken === undefined || service === undefined || this.#isStopped) {
      return Promise.resolve(fail(ended('there is no session to renew')))
    }
    const isCurrent = holding.sameSession()
    const isProof = newPassword.isInHand
    const { account, issuer, sub, refreshToken } = held
    const answer = refreshOnce({
      account,
      issuer,
      sub,
      refreshToken,
      service,
      vault,
      isCurrent,
      onOther: (other) => holding.update({ refreshToken: other }),
      newPassword: () => newPassword.get(),
    })
    const outcome = answer.then((landed) => {
      if (isProof && (landed.ok || landed.failure.code === 'sessionEnded')) newPassword.drop()
      // Who signed out or in meanwhile has taken care of what landed.
      return isCurrent() ? this.#land(landed) : OVERTAKEN
    })
    const landed = answer.then((each) => (each.ok ? each.value : undefined))
    const joined = this.#fly(landed, outcome)
    state.dispatch({ type: 'renewalStarted' })
    return joined
  }

  /** Takes what a sign-in brought; a renewal asked for meanwhile joins. */
  begin(receipt: Receipt): Promise<Outcome> {
    // Another copy of the program may have rotated the token of the session that this one replaces.
    this.#ports.vault.recheck()
    return this.#fly(Promise.resolve(undefined), this.#adopt(receipt, 'signedIn'))
  }

  /** Renews at once where it has been waiting, unless the service asked to wait. */
  wake(): void {
    const { state, clock } = this.#ports
    if (settledOf(state.now).kind === 'unreachable' && clock.now() >= this.#notBefore) void this.renew()
    else this.look()
  }

  /** Goes on with a session that was given up, where another copy of the program has written another token since. */
  look(): void {
    if (this.flight !== undefined || !this.#isGivenUp) return
    const looked = this.#hasOther().then((hasOther) => {
      if (hasOther && this.#isGivenUp) void this.renew()
    })
    void this.#ports.underWay.add(looked)
  }

  /** A session that nobody can renew says so in time. */
  warn(): void {
    this.#refused(this.#ended('the identity provider gave no refresh token'))
  }

  /** Begins no more. */
  stop(): void {
    this.#isStopped = true
    this.#endPause()
  }

  #fly(landed: Promise<Issued | undefined>, over: Promise<Outcome>): Promise<Outcome> {
    const outcome = this.#ports.underWay.add(over).finally(() => {
      if (this.#flight === flight) this.#flight = undefined
    })
    const flight: Flight = { landed, outcome, isCurrent: this.#ports.holding.sameSession() }
    this.#flight = flight
    return outcome
  }

  async #land(answer: Outcome<Issued>): Promise<Outcome> {
    const { clock, holding, onForeign } = this.#ports
    if (!answer.ok) {
      if (answer.failure.code === 'sessionEnded') return this.#doubt(answer.failure)
      this.#failed(answer.failure)
      return answer
    }
    const receipt = receive(answer.value, clock)
    const { sub } = receipt.claims
    const expected = holding.held?.sub
    if (expected === undefined || sub === undefined || sub === expected) return this.#adopt(receipt, 'tokenReceived')
    const failure = this.#ended('the service answered with the token of another account')
    await onForeign(receipt, failure)
    return fail(failure)
  }

  /** The session ends by what this program found, not by what it was told: the details say where and when. */
  #ended(cause: string): Failure {
    const { name, clock } = this.#ports
    return {
      code: 'sessionEnded',
      details: { cause, host: new URL(name).host, at: new Date(clock.wall()).toISOString() },
    }
  }

  /**
   * Another copy of the program may have been quicker, and may not have written yet: a refusal is believed when it has
   * had the time. Until then nothing is told, and the token in hand serves.
   */
  async #doubt(failure: Failure): Promise<Outcome> {
    const isCurrent = this.#ports.holding.sameSession()
    for (const pause of this.#isGivenUp ? [] : LOOKS) {
      await this.#pause(pause)
      const hasOther = isCurrent() && (await this.#hasOther())
      if (!isCurrent()) return OVERTAKEN
      if (!hasOther) continue
      this.#flight = undefined
      return this.renew()
    }
    this.#refused(failure)
    return fail(failure)
  }

  get #isGivenUp(): boolean {
    return isGivenUp(settledOf(this.#ports.state.now))
  }

  async #hasOther(): Promise<boolean> {
    const { holding, vault } = this.#ports
    return holding.held !== undefined && (await otherToken({ ...holding.held, vault })) !== undefined
  }

  /** Resolves after so many milliseconds; when it is stopped, at once. */
  #pause(length: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const { clock } = this.#ports
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + length, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  /** The token in hand serves until it runs out; the refused one is set aside, and asked with only by the user. */
  #refused(failure: Failure): void {
    const { clock, holding, state } = this.#ports
    const { account } = holding.update({})
    state.dispatch({ type: 'renewalRefused', account, failure, kept: this.#kept, now: clock.now() })
  }

  #failed(failure: Failure): void {
    const { clock, random, holding, state } = this.#ports
    const { account } = holding.update({})
    const now = clock.now()
    this.#attempts += 1
    this.#lost = mayBeDone(failure) ? this.#lost + 1 : 0
    this.#failedAt = now
    this.#notBefore = Math.max(this.#notBefore, now + waitOf(failure.retryAfter))
    const isServing = (tokenOf(state.now)?.expiresAt ?? 0) > now
    const pause = backoff(this.#lost || this.#attempts, isServing ? CAP_WHILE_SERVING : CAP_WHEN_OUT, random)
    const retryAt = Math.max(this.#notBefore, now + pause)
    state.dispatch({ type: 'renewalFailed', account, failure, retryAt, kept: this.#kept, now })
  }

  /** Takes what the service handed out: holds it, writes it, and only then announces it. */
  async #adopt(receipt: Receipt, type: 'signedIn' | 'tokenReceived'): Promise<Outcome> {
    const { random, holding, state } = this.#ports
    const isCurrent = holding.sameSession()
    const { accessToken, refreshToken, claims, receivedAt, expiresAt } = receipt
    const { account: known } = holding.update({})
    const held = holding.update({
      account: { ...known, displayName: claims.name ?? known.displayName },
      accessToken,
      expiresAt,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(claims.sub === undefined ? {} : { sub: claims.sub }),
    })
    this.#attempts = 0
    this.#lost = 0
    this.#notBefore = 0
    const kept = await this.#keep(held)
    if (!isCurrent()) return OVERTAKEN
    this.#announced = accessToken
    const renewsAt = receivedAt + renewalDelay(expiresAt - receivedAt, random)
    const token: TokenLife = { receivedAt, expiresAt, ...(held.refreshToken === undefined ? {} : { renewsAt }) }
    state.dispatch({ type, account: held.account, token, kept })
    return OK
  }

  async #keep({ account, issuer, sub, refreshToken }: Held): Promise<Kept> {
    const { vault } = this.#ports
    if (refreshToken === undefined) {
      // An entry from before is of another session.
      vault.leave()
      void vault.forget()
      return 'memory'
    }
    const { username, method } = account
    return vault.keep({ method, username, issuer, ...(sub === undefined ? {} : { sub }), refreshToken })
  }

  get #kept(): Kept {
    const { holding, vault } = this.#ports
    return holding.held?.refreshToken === undefined ? 'memory' : vault.kept
  }
}
