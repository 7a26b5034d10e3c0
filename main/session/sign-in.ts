import { assertNever } from '../../contract/assert-never.ts'
import type { ChallengeKind } from '../../contract/challenges.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { Secret } from '../base/secret.ts'
import { nameIn, receive } from './access-token.ts'
import { type Challenge, type Grant, type GrantInput, type GrantStep, SUPERSEDED } from './grants/grant.ts'
import type { SessionParts } from './parts.ts'
import type { TokenPair } from './ports.ts'
import type { Refresher } from './refresher.ts'
import type { Revoker } from './revoker.ts'
import { newSession, withTokens } from './session-record.ts'
import { baseStateOf, isEndingOrExpired } from './state.ts'

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

interface SignInPorts extends SessionParts {
  readonly revoker: Pick<Revoker, 'add' | 'addSession' | 'responseFrom' | 'revoke' | 'run'>
  readonly refresher: Pick<Refresher, 'begin' | 'pending'>
}

/**
 * Signs in step by step: a grant begins, and each challenge is answered, until tokens arrive or the sign-in fails. An
 * earlier session goes on until there are tokens, and is then revoked.
 */
export class SignIn {
  readonly #ports: SignInPorts
  /** The latest call of `begin`, until its sign-in has ended. */
  #newest: BeginCall | undefined
  #attempt: Attempt | undefined
  #challenges = 0

  constructor(ports: SignInPorts) {
    this.#ports = ports
    const end = () => {
      this.#newest = undefined
      if (this.#attempt !== undefined) endStep(this.#attempt)
    }
    ports.signal.addEventListener('abort', end, { once: true })
  }

  /**
   * Begins a sign-in with the grant of this name. A call with the same input joins the sign-in under way. A call with
   * other input waits, and replaces a call that already waits. Resolves after the first step, which brings tokens,
   * fails, or puts a challenge into the state.
   */
  begin(name: string, input: GrantInput): Promise<Outcome> {
    if (this.holdsRecoveryCode) return Promise.resolve(SUPERSEDED)
    return this.#ports.tasks.add(this.#joinOrWait(name, input))
  }

  /** Resolves after the next step. A second answer isn't sent meanwhile, and has the first one's outcome. */
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
    return this.#ports.tasks.add(open.answering)
  }

  /** The new recovery code for the window, while its challenge is open. */
  recoveryCode(id: string): string | undefined {
    const open = this.#attempt?.open
    return open?.id === id ? open.challenge.revealed?.reveal() : undefined
  }

  async reopen(id: string): Promise<Outcome> {
    const open = this.#attempt?.open
    return (open?.id === id ? await open.challenge.reopen?.() : undefined) ?? SUPERSEDED
  }

  /** Cancels the sign-in, unless its tokens have arrived or a new recovery code would be lost. */
  cancel(): void {
    if (this.#attempt !== undefined && !this.#mayReveal) this.#end()
  }

  /** Cancels the sign-in under way. The caller changes the state. */
  abandon(): void {
    this.#newest = undefined
    this.#drop()
  }

  /** True while ending the sign-in could lose a new recovery code. */
  get holdsRecoveryCode(): boolean {
    return this.#mayReveal || this.#attempt?.open?.challenge.revealed !== undefined
  }

  get #mayReveal(): boolean {
    const open = this.#attempt?.open
    return open?.challenge.mayReveal === true && open.answering !== undefined
  }

  #joinOrWait(name: string, input: GrantInput): Promise<Outcome> {
    const before = this.#newest
    if (before !== undefined && before.name === name && isSame(before.input, input)) return before.outcome
    const isNewest = () => this.#newest === call
    const begun =
      before === undefined
        ? this.#begin(name, input)
        : before.outcome.then(() => (isNewest() ? this.#begin(name, input) : SUPERSEDED))
    const outcome = begun.finally(() => {
      if (isNewest()) this.#newest = undefined
    })
    const call: BeginCall = { name, input, outcome }
    this.#newest = call
    return outcome
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
    const revocation = revoker.responseFrom(grant.issuer)
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
    const { clock, state, revoker } = this.#ports
    const { abort, grant, username } = attempt
    if (step.kind === 'challenge' && abort.signal.aborted) {
      step.challenge.cancel()
      return SUPERSEDED
    }
    if (this.#attempt !== attempt) {
      if (step.kind === 'tokens') await revoker.revoke(grant, receive(step.tokens, clock))
      return SUPERSEDED
    }
    switch (step.kind) {
      case 'tokens':
        this.#attempt = undefined
        try {
          return await this.#startSession(grant, username, step.tokens)
        } catch (error) {
          // A bug must not leave the window signing in for ever.
          state.dispatch({ type: 'signInFailed' })
          throw error
        }
      case 'failure':
        this.#attempt = undefined
        this.#failed()
        return fail(step.failure)
      case 'challenge':
        this.#open(attempt, step.challenge)
        return step.failure === undefined ? OK : fail(step.failure)
      default:
        return assertNever(step)
    }
  }

  async #startSession(grant: Grant, username: string | undefined, pair: TokenPair): Promise<Outcome> {
    const { clock, record, state, revoker, refresher } = this.#ports
    const tokens = receive(pair, clock)
    const { session: old, unused } = record
    const pendingRefresh = refresher.pending?.tokens
    const isSetAside = isEndingOrExpired(baseStateOf(state.now))
    // If no username was typed, the tokens name the user.
    const session = withTokens(newSession(grant, username ?? nameIn(tokens.claims)), tokens)
    record.replace(session)
    // A refused refresh token isn't revoked, unless a retry by the user is still under way.
    if (old !== undefined && (!isSetAside || pendingRefresh !== undefined)) revoker.addSession(old, pendingRefresh)
    if (unused !== undefined) revoker.add(unused)
    // The old session is revoked once the new one is stored.
    const outcome = await refresher.begin(session, tokens)
    void revoker.run()
    return outcome
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

  /** Ends the sign-in without a session. The earlier state comes back. */
  #end(): void {
    this.abandon()
    this.#failed()
  }

  #failed(): void {
    const { state, revoker } = this.#ports
    state.dispatch({ type: 'signInFailed' })
    // Sends the revocations that waited for the sign-in to end.
    void revoker.run()
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

interface BeginCall {
  readonly name: string
  readonly input: GrantInput
  readonly outcome: Promise<Outcome>
}

function isSame(one: GrantInput, other: GrantInput): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof GrantInput>
  return [...names].every((name) => isSameValue(one[name], other[name]))
}

const isSameValue = (one: string | Secret | undefined, other: string | Secret | undefined): boolean =>
  one instanceof Secret && other instanceof Secret ? one.equals(other) : one === other
