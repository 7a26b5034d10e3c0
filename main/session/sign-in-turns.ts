import type { Outcome } from '../../contract/failures.ts'
import { Secret } from '../base/secret.ts'
import type { GrantInput } from './grants/grant.ts'
import { OVERTAKEN } from './outcome.ts'

interface Turn {
  /** The grant's name. */
  readonly name: string
  readonly input: GrantInput
  readonly outcome: Promise<Outcome>
}

/**
 * Allows one sign-in at a time. A call with the same input joins the sign-in under way. A call with different input
 * waits, and replaces a call that is already waiting.
 */
export class SignInTurns {
  #last: Turn | undefined

  take(name: string, input: GrantInput, signIn: () => Promise<Outcome>): Promise<Outcome> {
    const before = this.#last
    if (before !== undefined && before.name === name && isSame(before.input, input)) return before.outcome
    const begun =
      before === undefined ? signIn() : before.outcome.then(() => (this.#last === turn ? signIn() : OVERTAKEN))
    const outcome = begun.finally(() => {
      if (this.#last === turn) this.#last = undefined
    })
    const turn: Turn = { name, input, outcome }
    this.#last = turn
    return outcome
  }

  /** Cancels the waiting call. The next call doesn't wait for the sign-in under way. */
  clear(): void {
    this.#last = undefined
  }
}

function isSame(one: GrantInput, other: GrantInput): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof GrantInput>
  return [...names].every((name) => isSameValue(one[name], other[name]))
}

const isSameValue = (one: string | Secret | undefined, other: string | Secret | undefined): boolean =>
  one instanceof Secret && other instanceof Secret ? one.equals(other) : one === other
