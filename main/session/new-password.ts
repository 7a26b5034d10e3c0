import type { Failure, FailureCode, Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { Subscription } from '../base/listeners.ts'
import type { Password } from '../base/secret.ts'

/** How long the new password is kept while the service can't be reached. */
const HOLD_LIMIT_MS = 5 * 60_000

/** The service may have changed the password, but its response was lost or couldn't be read. */
const UNCERTAIN: readonly FailureCode[] = ['unreachable', 'malformedResponse']

const mayBeChanged = ({ code, details = {} }: Failure): boolean =>
  UNCERTAIN.includes(code) && (details.sent === true || details.status !== undefined)

/** Keeps a new password until a refresh succeeds, to sign in again if the change has ended all sessions. */
export class NewPassword {
  readonly #clock: Clock
  readonly #turn: AbortSignal
  #request: Promise<unknown> = Promise.resolve()
  #password: Password | undefined
  readonly #limit = new Subscription()

  /** @param turn Once aborted, the password is forgotten, even if the service confirms the change later. */
  constructor(clock: Clock, turn: AbortSignal) {
    this.#clock = clock
    this.#turn = turn
    turn.addEventListener('abort', () => this.drop(), { once: true })
  }

  get isHeld(): boolean {
    return this.#password !== undefined
  }

  /** Sends the change. Remembers the new password if the service has accepted it, or may have accepted it. */
  send(password: Password, request: () => Promise<Outcome>): Promise<Outcome> {
    const answered = request().then((response) => {
      if (response.ok || mayBeChanged(response.failure)) this.#hold(password)
      return response
    })
    this.#request = answered
    return answered
  }

  /** Returns the kept password, once the service has responded to a pending change. */
  async get(): Promise<Password | undefined> {
    await this.#request
    return this.#password
  }

  /** Forgets the password. To be called once the session is known to be valid, refused for good, or closed. */
  drop(): void {
    this.#limit.end()
    this.#password = undefined
  }

  #hold(password: Password): void {
    if (this.#turn.aborted) return
    this.drop()
    this.#password = password
    this.#limit.begin(() => this.#clock.at(this.#clock.now() + HOLD_LIMIT_MS, () => this.drop()))
  }
}
