import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { SignInMethod } from '../../contract/sign-in-methods.ts'
import type { Holding } from './held.ts'
import { ended, OVERTAKEN } from './outcome.ts'
import type { AuthService, AuthServices, Clock } from './ports.ts'
import { type Receipt, receive } from './receipt.ts'
import type { Renewal } from './renewal.ts'
import { waitOf } from './schedule.ts'
import type { Password } from './secret.ts'
import type { Account } from './state.ts'

export interface PasswordChangeInput {
  readonly currentPassword: Password
  readonly newPassword: Password
}

interface PasswordChangePorts {
  readonly services: AuthServices
  readonly clock: Clock
  readonly holding: Holding
  readonly renewal: Renewal
  /** Revokes the tokens of a login, unless the session holds the same refresh token. */
  readonly revoke: (method: SignInMethod, receipt: Receipt) => void
}

/**
 * Changes the password. A login proves the current password first. Endpoint 4 then gets the session's own access token,
 * because services commonly keep the session that changes the password and end all others. A refresh proves afterwards
 * that the session has survived.
 */
export class PasswordChange {
  readonly #ports: PasswordChangePorts
  #isRunning = false
  /** The service's own `Retry-After`, on the Clock. */
  #notBefore = 0

  constructor(ports: PasswordChangePorts) {
    this.#ports = ports
  }

  run({ currentPassword, newPassword }: PasswordChangeInput): Promise<Outcome> {
    const { services, clock, holding } = this.#ports
    const { held } = holding
    const service = held && services[held.account.method]
    const change = service?.changePassword?.bind(service)
    if (held === undefined) return Promise.resolve(fail(ended('there is no session')))
    if (service === undefined || change === undefined) return Promise.resolve(fail({ code: 'notConfigured' }))
    // SECURITY: one attempt at a time, and none before the service's Retry-After, so that a script in the window can't
    // guess in parallel here. Limiting guesses is up to the service: a sign-in is a guess too.
    const wait = this.#notBefore - clock.now()
    if (wait > 0) return Promise.resolve(fail({ code: 'rateLimited', retryAfter: Math.ceil(wait / 1_000) }))
    if (this.#isRunning) return Promise.resolve(fail({ code: 'rateLimited' }))
    this.#isRunning = true
    // SECURITY: not an async function, whose frame would keep the current password until the change is done.
    const proof = this.#prove(service, held.account, currentPassword)
    return this.#finish(this.#change(proof, change, newPassword))
  }

  async #finish(change: Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await change
      if (!outcome.ok && outcome.failure.code === 'rateLimited') {
        this.#notBefore = this.#ports.clock.now() + waitOf(outcome.failure.retryAfter)
      }
      return outcome
    } finally {
      this.#isRunning = false
    }
  }

  /** Proves the current password by a login. The tokens of that login are not used, and are revoked. */
  async #prove(service: AuthService, { username, method }: Account, password: Password): Promise<Outcome> {
    const { clock, holding, revoke } = this.#ports
    const isCurrent = holding.sameSession()
    const answer = await service.login({ username, password })
    if (!answer.ok) return answer
    const receipt = receive(answer.value, clock)
    revoke(method, receipt)
    if (!isCurrent()) return OVERTAKEN
    const { sub } = receipt.claims
    const expected = holding.held?.sub
    if (sub === undefined || expected === undefined || sub === expected) return OK
    // SECURITY: the password of another account proves nothing.
    const cause = 'the service answered with the token of another account'
    return fail({ code: 'malformedResponse', details: { operation: 'login', cause } })
  }

  async #change(
    proof: Promise<Outcome>,
    change: NonNullable<AuthService['changePassword']>,
    password: Password,
  ): Promise<Outcome> {
    const { clock, holding, renewal } = this.#ports
    const { newPassword } = holding
    const isCurrent = holding.sameSession()
    // SECURITY: nothing is changed before the current password is proven.
    const proven = await proof
    if (!proven.ok) return proven
    const send = async (): Promise<Outcome> => {
      const { accessToken, expiresAt = 0 } = holding.held ?? {}
      if (!isCurrent() || accessToken === undefined || expiresAt <= clock.now()) {
        return fail(ended('there is no access token'))
      }
      return newPassword.send(password, () => change(accessToken, password))
    }
    let answer = await send()
    if (!answer.ok && answer.failure.code === 'sessionEnded' && isCurrent()) {
      const renewed = await renewal.renew()
      if (!renewed.ok) return renewed
      answer = await send()
      // A fresh token is refused too, though the session goes on: it is the change that is refused.
      if (!answer.ok && answer.failure.code === 'sessionEnded' && isCurrent()) {
        answer = fail({ ...answer.failure, code: 'passwordRefused' })
      }
    }
    if (newPassword.isInHand) {
      // A refresh begun before the change proves nothing.
      await renewal.flight?.outcome
      if (isCurrent()) await renewal.renew()
    }
    return answer
  }
}
