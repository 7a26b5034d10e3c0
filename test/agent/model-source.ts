import type { FailureCode } from '../../contract/failures.ts'
import type { TokenSource, TokenState } from '../../main/agent/token-source.ts'
import type { Clock } from '../../main/base/clock.ts'
import { accessToken } from '../../main/base/secret.ts'

/** A TokenSource without a service: the test decides how each refresh ends. */
export class ModelSource implements TokenSource {
  /** How many refreshes a real source would have sent to the service. */
  refreshes = 0
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #listeners = new Set<() => void>()
  #tokenState: TokenState = { kind: 'signedOut' }
  #issued = 0
  #cancelEnd = (): void => {}

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#clock = clock
  }

  get tokenState(): TokenState {
    return this.#tokenState
  }

  get listening(): number {
    return this.#listeners.size
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    listener()
    return () => this.#listeners.delete(listener)
  }

  refresh(): void {
    const tokenState = this.#tokenState
    if (tokenState.kind !== 'signedIn' || tokenState.refresh.kind !== 'idle') return
    this.refreshes += 1
    this.#publish({ ...tokenState, refresh: { kind: 'running' } })
  }

  /** Replaces the current token, as a sign-in or a successful refresh does. `lifetime` is in milliseconds. */
  grant(lifetime: number, account = 'ana', text = `token-${++this.#issued}`): void {
    const receivedAt = this.#clock.now()
    const token = { accessToken: accessToken(text), receivedAt, expiresAt: receivedAt + lifetime }
    this.#cancelEnd()
    this.#publish({ kind: 'signedIn', account, token, refresh: { kind: 'idle', notBefore: 0 } })
  }

  /** Ends the refresh with `failure`. Tools can't cause another refresh for `retryAfter` milliseconds. */
  fail(failure: FailureCode = 'unreachable', retryAfter = 0): void {
    const notBefore = retryAfter === 0 ? 0 : this.#clock.now() + retryAfter
    this.#update({ kind: 'idle', notBefore, failure })
  }

  refuse(): void {
    const tokenState = this.#update({ kind: 'impossible' })
    this.#cancelEnd = this.#clock.at(tokenState.token?.expiresAt ?? 0, () => this.signOut())
    if (tokenState.token === undefined || tokenState.token.expiresAt <= this.#clock.now()) this.signOut()
  }

  signOut(): void {
    this.become({ kind: 'signedOut' })
  }

  become(tokenState: TokenState): void {
    this.#cancelEnd()
    this.#publish(tokenState)
  }

  #update(refresh: Extract<TokenState, { kind: 'signedIn' }>['refresh']): Extract<TokenState, { kind: 'signedIn' }> {
    if (this.#tokenState.kind !== 'signedIn') throw new Error('no user is signed in')
    const tokenState = { ...this.#tokenState, refresh }
    this.#publish(tokenState)
    return tokenState
  }

  #publish(tokenState: TokenState): void {
    this.#tokenState = tokenState
    for (const listener of this.#listeners) listener()
  }
}
