import { assertNever } from '../../contract/assert-never.ts'
import type { Clock } from '../base/clock.ts'
import { Subscription } from '../base/listeners.ts'
import type { AccessToken } from '../base/secret.ts'
import { isShortLived } from '../session/schedule.ts'
import type {
  CurrentResult,
  CurrentToken,
  LongWait,
  TokenRequest,
  TokenResult,
  TokenSource,
  TokenState,
} from './token-source.ts'

/** The minimum between two refreshes that tools cause. It doubles with each token rejected right after its receipt. */
export const REFRESH_INTERVAL_MS = 1_000
/** SECURITY: the minimum if tokens live for 30 s or less. Otherwise, nearly every request would cause a refresh. */
export const SHORT_LIVED_INTERVAL_MS = 10_000
/** SECURITY: the minimum between two refreshes that one remote machine causes. */
export const REMOTE_INTERVAL_MS = 30_000
export const TOKEN_TIMEOUT_MS = 30_000
/** The token that the gateway and the MCP bridges ask for before they pass a request on. */
export const TOKEN_TO_SEND: TokenRequest = { kind: 'valid', minValidity: 5_000, isStrict: false }

export interface RemoteRejection {
  readonly token: AccessToken
  readonly at: number
}

interface TokenBrokerPorts {
  readonly source: TokenSource
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** `TOKEN_TIMEOUT_MS` by default. */
  readonly timeoutMs?: number
}

interface Waiter {
  readonly request: TokenRequest
  /** The time at which the wait for a refresh ends. */
  readonly deadline: number
  readonly longWait: LongWait | undefined
  readonly waitsUntil: number
  readonly onResult: OnResult
  cancelTimer: () => void
  endHold: (() => void) | undefined
}

type OnResult = (result: TokenResult) => void

const NOTHING = (): void => {}

const isServedBy = (tokenState: TokenState, request: TokenRequest, now: number): boolean =>
  tokenState.kind === 'signedIn' && isServed(request, tokenState.token, now)

/** Gives tools the current token, or lets them wait for a refresh that they share. */
export class TokenBroker {
  readonly #ports: Required<TokenBrokerPorts>
  readonly #waiters = new Set<Waiter>()
  /** The last refresh that tools caused, and the earliest time for another one. */
  #lastRefresh = { at: Number.NEGATIVE_INFINITY, repeatAt: Number.NEGATIVE_INFINITY }
  /** `inARow` counts the tokens, up to this one, that tools rejected right after their receipt. */
  #rejection: { readonly token?: AccessToken; readonly inARow: number } = { inARow: 0 }
  readonly #pause = new Subscription()
  readonly #watching = new Subscription()
  #wasRefreshing = false

  constructor(ports: TokenBrokerPorts) {
    this.#ports = { timeoutMs: TOKEN_TIMEOUT_MS, ...ports }
  }

  start(): void {
    this.#watching.begin(() => this.#ports.source.subscribe(() => this.#update()))
  }

  stop(why: 'stopping' | 'removed' = 'stopping'): void {
    this.#watching.end()
    this.#pause.end()
    for (const waiter of this.#waiters) {
      this.#remove(waiter)
      waiter.onResult({ kind: why })
    }
  }

  /** Replies exactly once, within `timeoutMs` or the tool's long wait. The returned function cancels the request. */
  ask(request: TokenRequest, onResult: OnResult, longWait?: LongWait): () => void {
    const { source, clock, timeoutMs } = this.#ports
    const now = clock.now()
    const { tokenState } = source
    const deadline = now + timeoutMs
    const until = waitUntil(request, tokenState, now, deadline)
    const isNow = until === undefined || this.#isThrottled(request, now)
    if (isNow && longWait === undefined) {
      onResult(tokenResultOf(request, tokenState, now))
      return NOTHING
    }
    const waitsUntil = longWait === undefined ? now : now + longWait.milliseconds
    const waiter: Waiter = {
      request,
      deadline,
      longWait,
      waitsUntil,
      onResult,
      cancelTimer: NOTHING,
      endHold: undefined,
    }
    this.#waiters.add(waiter)
    if (isNow) this.#answer(waiter)
    else {
      waiter.cancelTimer = clock.at(until, () => this.#answer(waiter))
      this.#begin()
    }
    return () => this.#remove(waiter)
  }

  /**
   * To be called after a service's 401 to this token. The tool waits for a refresh only if the token is current.
   * @param remote the last rejection by the tool's remote machine; absent for a local tool
   */
  rejected(token: AccessToken, onResult: OnResult, remote?: { last?: RemoteRejection }): () => void {
    const { tokenState } = this.#ports.source
    const current = tokenState.kind === 'signedIn' ? tokenState.token : undefined
    if (current?.accessToken.equals(token) !== true)
      return this.ask({ kind: 'valid', minValidity: 0, isStrict: false }, onResult)
    const retryAt = remote === undefined ? undefined : this.#retryAt(current, remote)
    if (retryAt !== undefined) {
      onResult({ kind: 'rejectedTooSoon', retryAt })
      return NOTHING
    }
    this.#noteRejection(current)
    return this.ask({ kind: 'another', than: token }, onResult)
  }

  /**
   * When the remote machine may reject this token; `undefined` if it may at once. SECURITY: even if it rejects every
   * token, it causes at most one refresh in each tenth of a token's lifetime.
   */
  #retryAt(current: CurrentToken, remote: { last?: RemoteRejection }): number | undefined {
    const { accessToken, receivedAt, expiresAt } = current
    const { last } = remote
    if (last?.token === accessToken) return undefined
    const now = this.#ports.clock.now()
    const retryAt = last === undefined ? now : last.at + Math.max(REMOTE_INTERVAL_MS, (expiresAt - receivedAt) / 10)
    if (now < retryAt) return retryAt
    remote.last = { token: accessToken, at: now }
    return undefined
  }

  /**
   * Whether tools caused a refresh less than half a token's lifetime ago, so that they get the current token. SECURITY:
   * otherwise a tool that asks for a longer validity than any token has would cause a refresh each time.
   */
  #isThrottled(request: TokenRequest, now: number): boolean {
    const { tokenState } = this.#ports.source
    if (request.kind !== 'valid' || tokenState.kind !== 'signedIn' || isRefreshing(tokenState)) return false
    const { receivedAt = 0, expiresAt = 0 } = tokenState.token ?? {}
    const { at } = this.#lastRefresh
    return expiresAt > now && receivedAt >= at && now < at + (expiresAt - receivedAt) / 2
  }

  /** Counts each token once, however many tools reject it. */
  #noteRejection(token: CurrentToken): void {
    if (token.accessToken === this.#rejection.token) return
    const { clock, timeoutMs } = this.#ports
    const now = clock.now()
    const isInARow = isYoung(token, now) && now < this.#lastRefresh.repeatAt + timeoutMs
    this.#rejection = { token: token.accessToken, inARow: isInARow ? this.#rejection.inARow + 1 : 0 }
  }

  #begin(): void {
    const { source, clock, timeoutMs } = this.#ports
    if (isRefreshing(source.tokenState) || this.#pause.isOn) return
    const now = clock.now()
    const { repeatAt } = this.#lastRefresh
    if (now < repeatAt) {
      this.#pause.begin(() =>
        clock.at(repeatAt, () => {
          this.#pause.end()
          if (this.#waiters.size > 0) this.#begin()
        }),
      )
      return
    }
    const { tokenState } = source
    const isShort = tokenState.kind === 'signedIn' && tokenState.token !== undefined && isShortLived(tokenState.token)
    const interval = Math.max(REFRESH_INTERVAL_MS * 2 ** this.#rejection.inARow, isShort ? SHORT_LIVED_INTERVAL_MS : 0)
    // At most half of the timeout, so that a tool that waits for the next refresh gets its token in time.
    this.#lastRefresh = { at: now, repeatAt: now + Math.min(interval, timeoutMs / 2) }
    // This is set first, so that `#update` answers the waiting tools even if the refresh can't begin.
    this.#wasRefreshing = true
    source.refresh()
    this.#update()
  }

  /** Answers the tools for which there is a token now, or all that waited for a refresh that has ended. */
  #update(): void {
    const { source, clock } = this.#ports
    const { tokenState } = source
    const now = clock.now()
    const isOver = this.#wasRefreshing && !isRefreshing(tokenState)
    this.#wasRefreshing = isRefreshing(tokenState)
    for (const waiter of [...this.#waiters]) {
      const { request, deadline, endHold } = waiter
      const isDue =
        endHold === undefined
          ? isOver || waitUntil(request, tokenState, now, deadline) === undefined
          : isServedBy(tokenState, request, now)
      if (isDue) this.#answer(waiter)
    }
  }

  #answer(waiter: Waiter): void {
    const { source, clock } = this.#ports
    const { request, longWait, waitsUntil, onResult } = waiter
    const { tokenState } = source
    const now = clock.now()
    const mayWait = longWait !== undefined && now < waitsUntil
    if (mayWait && !isServedBy(tokenState, request, now) && !this.#isThrottled(request, now))
      this.#hold(waiter, longWait)
    else if (this.#remove(waiter)) onResult(tokenResultOf(request, tokenState, now))
  }

  /** A long wait causes no refresh, because the session retries by itself. */
  #hold(waiter: Waiter, longWait: LongWait): void {
    waiter.cancelTimer()
    waiter.endHold ??= longWait.begin()
    if (waiter.endHold !== undefined) {
      waiter.cancelTimer = this.#ports.clock.at(waiter.waitsUntil, () => this.#answer(waiter))
    } else if (this.#remove(waiter)) waiter.onResult({ kind: 'tooManyWaiting' })
  }

  #remove(waiter: Waiter): boolean {
    waiter.cancelTimer()
    waiter.endHold?.()
    waiter.endHold = undefined
    return this.#waiters.delete(waiter)
  }
}

const SOON_MS = 1_000
const WHEN_UNLOCKED_MS = 10_000

/** Whether the token is in the first tenth of its lifetime, when a new one would hardly be valid for longer. */
const isYoung = ({ receivedAt, expiresAt }: CurrentToken, now: number): boolean =>
  now - receivedAt < (expiresAt - receivedAt) / 10

const leftOf = (token: CurrentToken | undefined, now: number): number =>
  token === undefined ? 0 : Math.max(0, token.expiresAt - now)

const isWanted = (request: TokenRequest, token: CurrentToken): boolean =>
  request.kind === 'valid' || !request.than.equals(token.accessToken)

/** Whether this token suits the request, or a new one would hardly be better. */
function isServed(request: TokenRequest, token: CurrentToken | undefined, now: number): boolean {
  const left = leftOf(token, now)
  if (token === undefined || left === 0 || !isWanted(request, token)) return false
  return request.kind === 'another' || left >= request.minValidity || isYoung(token, now)
}

/** Whether a token may arrive without the user's help. */
const isRefreshing = (tokenState: TokenState): boolean =>
  tokenState.kind === 'restoring' || (tokenState.kind === 'signedIn' && tokenState.refresh.kind === 'running')

/** `undefined` to answer now. A tool that could use the current token waits for half of its remaining life at most. */
export function waitUntil(
  request: TokenRequest,
  tokenState: TokenState,
  now: number,
  deadline: number,
): number | undefined {
  if (tokenState.kind === 'restoring') return deadline
  if (tokenState.kind !== 'signedIn' || isServed(request, tokenState.token, now)) return undefined
  const { token, refresh } = tokenState
  if (refresh.kind === 'impossible' || (refresh.kind === 'idle' && refresh.notBefore > now)) return undefined
  const left = request.kind === 'valid' ? leftOf(token, now) : 0
  return left > 0 ? Math.min(deadline, now + left / 2) : deadline
}

/** A token that expires sooner than requested is enough, unless the request is strict. */
export function tokenResultOf(request: TokenRequest, tokenState: TokenState, now: number): CurrentResult {
  switch (tokenState.kind) {
    case 'signedOut':
      return tokenState
    case 'restoring':
      return { kind: 'unavailable', reason: 'keychainUnavailable', retryAt: now + SOON_MS }
    case 'locked':
      return { kind: 'unavailable', reason: 'keychainUnavailable', retryAt: now + WHEN_UNLOCKED_MS }
    case 'signedIn': {
      const { account, token, refresh } = tokenState
      const left = leftOf(token, now)
      if (token !== undefined && left > 0 && isWanted(request, token)) {
        const isTooShort = request.kind === 'valid' && request.isStrict && left < request.minValidity
        return isTooShort
          ? { kind: 'tooShort', left, minValidity: request.minValidity }
          : { kind: 'token', token, account }
      }
      if (refresh.kind === 'impossible') return { kind: 'signedOut' }
      if (refresh.kind === 'running') return { kind: 'unavailable', reason: 'unreachable', retryAt: now + SOON_MS }
      const { notBefore, failure = 'unreachable', issuer } = refresh
      const retryAt = Math.max(notBefore, now + SOON_MS)
      return { kind: 'unavailable', reason: failure, retryAt, ...(issuer && { issuer }) }
    }
    default:
      return assertNever(tokenState)
  }
}
