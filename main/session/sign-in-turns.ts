import type { Outcome } from '../../contract/failures.ts'
import type { SignInMethod } from '../../contract/sign-in-methods.ts'
import type { Credentials } from './grants/grant.ts'
import { OVERTAKEN } from './outcome.ts'

interface Turn {
  readonly method: SignInMethod
  readonly credentials: Credentials
  readonly outcome: Promise<Outcome>
}

/**
 * One sign-in at a time. A call with the same credentials joins the one under way; with others it waits for that to
 * end, and of those that wait only the newest counts.
 */
export class SignInTurns {
  #last: Turn | undefined

  take(method: SignInMethod, credentials: Credentials, signIn: () => Promise<Outcome>): Promise<Outcome> {
    const before = this.#last
    if (before !== undefined && isSame(before, method, credentials)) return before.outcome
    const begun =
      before === undefined ? signIn() : before.outcome.then(() => (this.#last === turn ? signIn() : OVERTAKEN))
    const outcome = begun.finally(() => {
      if (this.#last === turn) this.#last = undefined
    })
    const turn: Turn = { method, credentials, outcome }
    this.#last = turn
    return outcome
  }

  /** Who waits is overtaken, and the next call waits for nobody. */
  clear(): void {
    this.#last = undefined
  }
}

const isSame = ({ method, credentials }: Turn, other: SignInMethod, { username, password }: Credentials): boolean =>
  method === other && credentials.username === username && credentials.password.equals(password)
