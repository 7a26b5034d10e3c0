import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Password } from '../base/secret.ts'
import { receive } from './access-token.ts'
import { type Capable, type Grant, isCapable, SUPERSEDED, sessionEnded } from './grants/grant.ts'
import type { SessionParts } from './parts.ts'
import type { Refresher } from './refresher.ts'
import type { Revoker } from './revoker.ts'
import { retryAfterMs } from './schedule.ts'
import type { Account } from './state.ts'

export interface PasswordChangeInput {
  readonly currentPassword: Password
  readonly newPassword: Password
}

interface PasswordChangePorts extends SessionParts {
  readonly refresher: Refresher
  readonly revoker: Pick<Revoker, 'revoke'>
}

/**
 * Changes the password, after a login has proved the current one. The request has the session's own access token,
 * because services commonly keep the session that sends it and end all others. A refresh then shows whether the session
 * was kept.
 */
export class PasswordChange {
  readonly #ports: PasswordChangePorts
  #isRunning = false
  /** The end of the service's `Retry-After`, on the `Clock`. */
  #notBefore = 0

  constructor(ports: PasswordChangePorts) {
    this.#ports = ports
  }

  run({ currentPassword, newPassword }: PasswordChangeInput): Promise<Outcome> {
    const { grants, clock, record } = this.#ports
    const { session } = record
    const grant = session && grants.get(session.account.grant.name)
    if (session === undefined) return Promise.resolve(fail(sessionEnded('there is no session')))
    if (!isCapable(grant, 'changePassword')) return Promise.resolve(fail({ code: 'notConfigured' }))
    // SECURITY: allows one attempt at a time, and none before the end of Retry-After, so that a script in the window
    // can't guess passwords in parallel. Only the service can limit guesses altogether: the script could guess by
    // signing in, too.
    const wait = this.#notBefore - clock.now()
    if (wait > 0) return Promise.resolve(fail({ code: 'rateLimited', retryAfter: Math.ceil(wait / 1_000) }))
    if (this.#isRunning) return Promise.resolve(fail({ code: 'rateLimited' }))
    this.#isRunning = true
    // SECURITY: an async `run` would keep the current password in memory until the change is done.
    const proof = this.#prove(grant, session.account, currentPassword)
    return this.#finish(this.#change(proof, grant, newPassword))
  }

  async #finish(change: Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await change
      if (!outcome.ok && outcome.failure.code === 'rateLimited') {
        this.#notBefore = this.#ports.clock.now() + retryAfterMs(outcome.failure.retryAfter)
      }
      return outcome
    } finally {
      this.#isRunning = false
    }
  }

  /** Proves the current password with a login, whose tokens are revoked unused. */
  async #prove(grant: Grant, { username }: Account, password: Password): Promise<Outcome> {
    const { clock, record, revoker, tasks } = this.#ports
    const { turn } = record
    const step = await grant.begin({ username, password })
    if (step.kind === 'failure') return fail(step.failure)
    if (step.kind === 'challenge') {
      step.challenge.cancel()
      return fail({ code: 'interactionRequired' })
    }
    const tokens = receive(step.tokens, clock)
    void tasks.add(revoker.revoke(grant, tokens))
    if (turn.aborted) return SUPERSEDED
    const { sub } = tokens.claims
    const expected = record.session?.sub
    if (sub === undefined || expected === undefined || sub === expected) return OK
    // SECURITY: a login with another account's tokens doesn't prove this account's password.
    const cause = 'the service answered with the token of another account'
    return fail({ code: 'malformedResponse', details: { operation: 'login', cause } })
  }

  async #change(proof: Promise<Outcome>, grant: Capable<'changePassword'>, password: Password): Promise<Outcome> {
    const { clock, record, refresher } = this.#ports
    const { newPassword, turn } = record
    // SECURITY: the password changes only once the current one is proven.
    const proven = await proof
    if (!proven.ok) return proven
    const send = async (): Promise<Outcome> => {
      const { accessToken, expiresAt = 0 } = record.session ?? {}
      if (turn.aborted || accessToken === undefined || expiresAt <= clock.now()) {
        return fail(sessionEnded('there is no access token'))
      }
      return newPassword.send(password, () => grant.changePassword(accessToken, password))
    }
    let response = await send()
    if (!response.ok && response.failure.code === 'sessionEnded' && !turn.aborted) {
      const refreshed = await refresher.refresh()
      if (!refreshed.ok) return refreshed
      response = await send()
      // Even a fresh token was refused, so the change itself is refused.
      if (!response.ok && response.failure.code === 'sessionEnded' && !turn.aborted) {
        response = fail({ ...response.failure, code: 'passwordRefused' })
      }
    }
    if (newPassword.isHeld) {
      // A refresh that began before the change can't show whether the session survived the change.
      await refresher.pending?.outcome
      if (!turn.aborted) await refresher.refresh()
    }
    return response
  }
}
