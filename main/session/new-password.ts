import type { Failure, FailureCode, Outcome } from '../../contract/failures.ts'
import type { Clock } from './ports.ts'
import type { Password } from './secret.ts'

/** How long the new password is held at most, while the service can't be asked whether the session survived. */
const HOLD_LIMIT_MS = 5 * 60_000

/** After these the service may have changed the password all the same, where it was sent: its answer did not arrive. */
const UNCERTAIN: readonly FailureCode[] = ['unreachable', 'malformedResponse']

const mayBeChanged = ({ code, details = {} }: Failure): boolean =>
  UNCERTAIN.includes(code) && (details.sent === true || details.status !== undefined)

/**
 * The new password of one session, in hand from its change until a refresh has proven the session, so that a
 * service that ends every session with the old password can be signed in to again.
 */
export class NewPassword {
  readonly #clock: Clock
  #request: Promise<unknown> = Promise.resolve()
  #password: Password | undefined
  #cancelLimit: (() => void) | undefined
  #isOver = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isInHand(): boolean {
    return this.#password !== undefined
  }

  /** Sends the change; holds the password unless the service has certainly not taken it. */
  send(password: Password, request: () => Promise<Outcome>): Promise<Outcome> {
    const answered = request().then((answer) => {
      if (answer.ok || mayBeChanged(answer.failure)) this.#hold(password)
      return answer
    })
    this.#request = answered
    return answered
  }

  /** The password, once a change under way has been answered. */
  async get(): Promise<Password | undefined> {
    await this.#request
    return this.#password
  }

  /** The session is proven, or refused for good. */
  drop(): void {
    this.#cancelLimit?.()
    this.#cancelLimit = undefined
    this.#password = undefined
  }

  /** The session is over: an answer that comes later holds nothing. */
  end(): void {
    this.#isOver = true
    this.drop()
  }

  #hold(password: Password): void {
    if (this.#isOver) return
    this.drop()
    this.#password = password
    this.#cancelLimit = this.#clock.at(this.#clock.now() + HOLD_LIMIT_MS, () => this.drop())
  }
}
