import type { Outcome } from '../../preload/contract.ts'
import type { Holding } from './held.ts'
import { ended, fail } from './outcome.ts'
import type { AuthServices, Clock } from './ports.ts'
import type { Renewal } from './renewal.ts'
import type { Password } from './secret.ts'

interface Changing {
  readonly services: AuthServices
  readonly clock: Clock
  readonly holding: Holding
  readonly renewal: Renewal
}

/**
 * Changes the password, and has a refresh prove that the session has survived it. Where the access token has run
 * out or is refused, a fresh one is got first.
 */
export async function changePassword(
  { services, clock, holding, renewal }: Changing,
  password: Password,
): Promise<Outcome> {
  const { held, newPassword } = holding
  if (held === undefined) return fail(ended('there is no session'))
  const service = services[held.account.method]
  if (service?.changePassword === undefined) return fail({ code: 'notConfigured' })
  const change = service.changePassword.bind(service)
  const isCurrent = holding.sameSession()
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
