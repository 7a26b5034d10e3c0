import { assertNever } from '../../contract/assert-never.ts'
import type { ChallengeKind } from '../../contract/challenges.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { Secret } from '../base/secret.ts'
import { whenAborted } from '../base/when-aborted.ts'
import { SUPERSEDED } from './failures.ts'
import type { Challenge, Grant, GrantInput, GrantStep, Grants } from './grants/grant.ts'
import type { TokenPair } from './ports.ts'
import type { PublishedState } from './published-state.ts'
import type { Revoker } from './revoker.ts'

/** The sign-in under way. */
interface Attempt {
  /** Aborted when the sign-in is cancelled, or the program stops. */
  readonly abort: AbortController
  readonly grant: Grant
  /** The typed username; absent if the grant asks for none. */
  readonly username: string | undefined
  open?: OpenChallenge
}

interface OpenChallenge {
  readonly id: string
  readonly challenge: Challenge
  answering?: Promise<Outcome> | undefined
}

interface SignInPorts {
  readonly grants: Grants
  readonly state: Pick<PublishedState, 'dispatch'>
  readonly revoker: Pick<Revoker, 'answerFrom'>
  /** When aborted, cancels the step under way. A request under way may still return tokens. */
  readonly signal: AbortSignal
  /** Called with the tokens that start a session. */
  readonly onTokens: (grant: Grant, username: string | undefined, tokens: TokenPair) => Promise<Outcome>
  /** Called with tokens that arrived after the sign-in was cancelled. They must be revoked. */
  readonly onLateTokens: (grant: Grant, tokens: TokenPair) => Promise<void>
  /** Called when the sign-in ended without a session. */
  readonly onFailed: () => void
}

/** Signs in step by step: a grant begins, and each challenge is answered, until tokens arrive or the sign-in fails. */
export class SignIn {
  readonly #ports: SignInPorts
  readonly #turns = new SignInTurns()
  #attempt: Attempt | undefined
  #challenges = 0

  constructor(ports: SignInPorts) {
    this.#ports = ports
    whenAborted(ports.signal, () => {
      this.#turns.clear()
      if (this.#attempt !== undefined) endStep(this.#attempt)
    })
  }

  /** Resolves when tokens have arrived, when the sign-in has failed, or when a challenge is open. */
  begin(name: string, input: GrantInput): Promise<Outcome> {
    if (this.holdsRecoveryCode) return Promise.resolve(SUPERSEDED)
    return this.#turns.take(name, input, () => this.#begin(name, input))
  }

  /**
   * Answers the open challenge; resolves as `begin` does. While an answer is being checked, a second answer gets the
   * same result.
   */
  answer(id: string, kind: ChallengeKind, input: GrantInput): Promise<Outcome> {
    const attempt = this.#attempt
    const open = attempt?.open
    if (attempt === undefined || open?.id !== id || open.challenge.description.kind !== kind) {
      return Promise.resolve(SUPERSEDED)
    }
    open.answering ??= this.#run(attempt, () =>
      open.challenge.answer(input).finally(() => {
        open.answering = undefined
      }),
    )
    return open.answering
  }

  /** The secret that the open challenge shows, if any. */
  revealed(id: string): string | undefined {
    const open = this.#attempt?.open
    return open?.id === id ? open.challenge.revealed?.reveal() : undefined
  }

  /** Shows the open challenge's page in the browser again. */
  async reopen(id: string): Promise<Outcome> {
    const open = this.#attempt?.open
    return (open?.id === id ? await open.challenge.reopen?.() : undefined) ?? SUPERSEDED
  }

  /** Cancels the sign-in and returns to the earlier state, unless the tokens have arrived or a secret would be lost. */
  cancel(): void {
    if (this.#attempt !== undefined && !this.#mayReveal) this.#end()
  }

  /** Cancels the sign-in under way. The caller changes the state. */
  abandon(): void {
    this.#turns.clear()
    this.#drop()
  }

  /**
   * True from the moment a response may contain a new recovery code until the user has saved it: ending the sign-in
   * would lose it.
   */
  get holdsRecoveryCode(): boolean {
    return this.#mayReveal || this.#attempt?.open?.challenge.revealed !== undefined
  }

  /** True while a response may contain a secret that ending the sign-in would lose. */
  get #mayReveal(): boolean {
    const open = this.#attempt?.open
    return open?.challenge.mayReveal === true && open.answering !== undefined
  }

  async #begin(name: string, input: GrantInput): Promise<Outcome> {
    const { grants, state, revoker } = this.#ports
    const grant = grants.get(name)
    if (grant === undefined) return fail({ code: 'notConfigured' })
    this.#drop()
    const abort = new AbortController()
    const attempt: Attempt = { abort, grant, username: input.username }
    this.#attempt = attempt
    state.dispatch({ type: 'signInStarted' })
    const revocation = revoker.answerFrom(grant.issuer)
    if (revocation !== undefined) await revocation
    if (abort.signal.aborted) return SUPERSEDED
    return this.#run(attempt, () => grant.begin(input, abort.signal))
  }

  /** Runs a step. If a bug makes the step throw, ends the sign-in and rethrows the error. */
  async #run(attempt: Attempt, begin: () => Promise<GrantStep>): Promise<Outcome> {
    let step: GrantStep
    try {
      step = await begin()
    } catch (error) {
      if (this.#attempt === attempt) this.#end()
      throw error
    }
    return this.#take(attempt, step)
  }

  async #take(attempt: Attempt, step: GrantStep): Promise<Outcome> {
    const { state, onTokens, onLateTokens, onFailed } = this.#ports
    const { abort, grant, username } = attempt
    if (step.kind === 'challenge' && abort.signal.aborted) {
      step.challenge.cancel()
      return SUPERSEDED
    }
    if (this.#attempt !== attempt) {
      if (step.kind === 'tokens') await onLateTokens(grant, step.tokens)
      return SUPERSEDED
    }
    switch (step.kind) {
      case 'tokens':
        this.#attempt = undefined
        try {
          return await onTokens(grant, username, step.tokens)
        } catch (error) {
          // A bug must not leave the window signing in for ever. If the session has begun, this changes nothing.
          state.dispatch({ type: 'signInFailed' })
          throw error
        }
      case 'failure':
        this.#attempt = undefined
        state.dispatch({ type: 'signInFailed' })
        onFailed()
        return fail(step.failure)
      case 'challenge':
        this.#open(attempt, step.challenge)
        return step.failure === undefined ? OK : fail(step.failure)
      default:
        return assertNever(step)
    }
  }

  #open(attempt: Attempt, challenge: Challenge): void {
    if (attempt.open?.challenge === challenge) return
    this.#challenges += 1
    const id = String(this.#challenges)
    attempt.open = { id, challenge }
    void challenge.expired?.then(() => this.answer(id, challenge.description.kind, {}))
    const { issuer } = attempt.grant.description
    this.#ports.state.dispatch({ type: 'challengeOpened', challenge: { ...challenge.description, id, issuer } })
  }

  /** Ends the sign-in without a session. The earlier state returns. */
  #end(): void {
    this.abandon()
    this.#ports.state.dispatch({ type: 'signInFailed' })
    this.#ports.onFailed()
  }

  #drop(): void {
    const attempt = this.#attempt
    this.#attempt = undefined
    if (attempt !== undefined) endStep(attempt)
  }
}

function endStep({ abort, open }: Attempt): void {
  abort.abort()
  open?.challenge.cancel()
}

interface Turn {
  readonly name: string
  readonly input: GrantInput
  readonly outcome: Promise<Outcome>
}

/** One sign-in at a time: a call with the same input joins it, another waits and replaces one that is waiting. */
class SignInTurns {
  #last: Turn | undefined

  take(name: string, input: GrantInput, signIn: () => Promise<Outcome>): Promise<Outcome> {
    const before = this.#last
    if (before !== undefined && before.name === name && isSame(before.input, input)) return before.outcome
    const begun =
      before === undefined ? signIn() : before.outcome.then(() => (this.#last === turn ? signIn() : SUPERSEDED))
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
