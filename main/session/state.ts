/** The states of a session, and the pure function that changes them. No state contains a token. */
import { assertNever } from '../../contract/assert-never.ts'
import type { ChallengeView } from '../../contract/challenges.ts'
import type { Failure } from '../../contract/failures.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import type { AccountView, Kept, Revocation, SessionEnd, UnreadReason } from '../../contract/views.ts'
import { Listeners } from '../base/listeners.ts'

export type Account = AccountView

export interface TokenLife {
  readonly receivedAt: number
  readonly expiresAt: number
  /** Absent if the session can't be refreshed. */
  readonly refreshesAt?: number
}

interface SignedIn {
  readonly account: Account
  readonly refresh: 'idle' | 'running'
}

interface InUse extends SignedIn {
  readonly kept: Kept
  /** The end of the session on the wall clock. Absent if it isn't known. */
  readonly end?: SessionEnd
}

type SignedInState =
  | (InUse & { readonly kind: 'active'; readonly token: TokenLife })
  | (InUse & {
      readonly kind: 'unreachable'
      /** Absent if the token has expired, or none has come since the start. */
      readonly token?: TokenLife
      readonly failure: Failure
      readonly retryAt: number
    })
  | (Omit<InUse, 'end'> & { readonly kind: 'ending'; readonly token: TokenLife; readonly failure: Failure })
  | (SignedIn & { readonly kind: 'expired'; readonly failure: Failure })

export type SessionState =
  /** `issuer` is set once the session is found and its first refresh is under way at this issuer. */
  | { readonly kind: 'restoring'; readonly issuer?: IssuerKind }
  | { readonly kind: 'sessionUnread'; readonly why: UnreadReason }
  /** Another version wrote the keychain's entry, which is never replaced. */
  | { readonly kind: 'unknownVersion' }
  | {
      readonly kind: 'signedOut'
      readonly revocation: Revocation
      readonly handedOutUntil?: number
      /** Why the session ended, if the user didn't end it. */
      readonly failure?: Failure
      /** Why the last revocation failed. Absent unless `revocation` is `pending` or `refused`. */
      readonly revocationFailure?: Failure
      readonly revocationIssuer?: IssuerKind
    }
  /** If the sign-in fails, the state goes back to `from`. */
  | {
      readonly kind: 'signingIn'
      readonly from: Exclude<SessionState, { kind: 'signingIn' }>
      readonly challenge?: ChallengeView
    }
  | SignedInState

interface Received {
  readonly account: Account
  readonly token: TokenLife
  readonly kept: Kept
  readonly end?: SessionEnd | undefined
}

interface Failed {
  readonly failure: Failure
  /** The time of the failure, on the `Clock`. A token that has expired by then leaves the state. */
  readonly now: number
}

export type SessionEvent =
  /** The keychain has no session to restore. It may have one that must be revoked. */
  | { readonly type: 'nothingStored'; readonly revocation: Revocation }
  | { readonly type: 'sessionUnread'; readonly why: UnreadReason }
  | { readonly type: 'unknownVersionFound' }
  /** The keychain has a session, and the user hasn't signed in or out since the start. */
  | { readonly type: 'sessionFound'; readonly issuer: IssuerKind }
  | { readonly type: 'signInStarted' }
  | { readonly type: 'challengeOpened'; readonly challenge: ChallengeView }
  | { readonly type: 'signInFailed' }
  | { readonly type: 'refreshStarted' }
  /** `kept` says whether the tokens could be stored. */
  | ({ readonly type: 'signedIn' } & Received)
  | ({ readonly type: 'tokenReceived' } & Received)
  | ({ readonly type: 'refreshFailed'; readonly retryAt: number } & Omit<Received, 'token'> & Failed)
  | ({ readonly type: 'refreshRefused' } & Omit<Received, 'token' | 'end'> & Failed)
  | { readonly type: 'tokenRanOut' }
  | { readonly type: 'keptChanged'; readonly kept: Kept }
  | {
      readonly type: 'signedOut'
      readonly revocation: Revocation
      readonly handedOutUntil?: number
      readonly failure?: Failure
    }
  | { readonly type: 'revocationChanged'; readonly revocation: Revocation }
  | { readonly type: 'revocationPostponed'; readonly failure: Failure; readonly issuer: IssuerKind }

type BaseState = Exclude<SessionState, { kind: 'signingIn' }>

export function tokenOf(state: SessionState): TokenLife | undefined {
  const base = baseStateOf(state)
  return 'token' in base ? base.token : undefined
}

/** During a sign-in, the state before the sign-in; otherwise, the state itself. */
export function baseStateOf(state: SessionState): BaseState {
  return state.kind === 'signingIn' ? state.from : state
}

/** The next state. It is the same object if the event changes nothing. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  if (state.kind !== 'signingIn') {
    if (event.type === 'signInStarted') return { kind: 'signingIn', from: state }
    if (event.type === 'challengeOpened') return { kind: 'signingIn', from: state, challenge: event.challenge }
    return nextBaseState(state, event)
  }
  switch (event.type) {
    case 'signInStarted':
      // A new sign-in closes the earlier challenge.
      return state.challenge === undefined ? state : { kind: 'signingIn', from: state.from }
    case 'challengeOpened':
      return { ...state, challenge: event.challenge }
    case 'signedIn':
      return active(event)
    case 'signInFailed':
      return state.from
    case 'signedOut':
      return nextBaseState(state.from, event)
    default: {
      const from = nextBaseState(state.from, event)
      return from === state.from ? state : { ...state, from }
    }
  }
}

const OPENS_SIGNED_OUT: readonly SessionEvent['type'][] = [
  'signedOut',
  'revocationChanged',
  'revocationPostponed',
  'sessionFound',
  'unknownVersionFound',
]

function nextBaseState(
  state: BaseState,
  event: Exclude<SessionEvent, { type: 'signInStarted' | 'challengeOpened' }>,
): BaseState {
  // After a sign-out, late results of the ended session change nothing.
  if (state.kind === 'signedOut' && !OPENS_SIGNED_OUT.includes(event.type)) return state
  switch (event.type) {
    case 'nothingStored':
      return isAwaitingKeychain(state) ? { kind: 'signedOut', revocation: event.revocation } : state
    case 'sessionUnread':
      if (!isAwaitingKeychain(state) || ('why' in state && state.why === event.why)) return state
      return { kind: 'sessionUnread', why: event.why }
    case 'unknownVersionFound':
      return isAwaitingKeychain(state) || state.kind === 'signedOut' ? { kind: 'unknownVersion' } : state
    case 'sessionFound':
      return isAwaitingKeychain(state) || state.kind === 'signedOut'
        ? { kind: 'restoring', issuer: event.issuer }
        : state
    case 'signedIn':
    case 'signInFailed':
      return state
    case 'refreshStarted':
      return 'refresh' in state && state.refresh === 'idle' ? { ...state, refresh: 'running' } : state
    case 'tokenReceived':
      return active(event)
    case 'refreshFailed':
      return failed(state, event)
    case 'refreshRefused':
      return refused(state, event)
    case 'tokenRanOut':
      return ranOut(state)
    case 'keptChanged':
      return 'kept' in state && state.kept !== event.kept ? { ...state, kept: event.kept } : state
    case 'signedOut':
      return signedOut(state, event)
    case 'revocationChanged':
      return state.kind === 'signedOut' ? revocationChanged(state, event.revocation) : state
    case 'revocationPostponed':
      return state.kind === 'signedOut' && state.revocation === 'pending'
        ? { ...state, revocationFailure: event.failure, revocationIssuer: event.issuer }
        : state
    default:
      return assertNever(event)
  }
}

/** True while it is unknown whether the keychain has a session. */
export function isAwaitingKeychain(state: SessionState): boolean {
  return state.kind === 'restoring' || state.kind === 'sessionUnread'
}

/** Whether the session has ended or will soon end, because its refresh token was refused or doesn't exist. */
export function isEndingOrExpired(
  state: SessionState,
): state is Extract<SignedInState, { kind: 'ending' | 'expired' }> {
  return state.kind === 'ending' || state.kind === 'expired'
}

function active({ account, token, kept, end }: Received): BaseState {
  return { kind: 'active', account, token, refresh: 'idle', kept, ...(end && { end }) }
}

function signedOut(state: BaseState, event: Extract<SessionEvent, { type: 'signedOut' }>): BaseState {
  // A second sign-out doesn't change how long the tools' tokens stay valid.
  const { handedOutUntil = state.kind === 'signedOut' ? state.handedOutUntil : undefined, revocation, failure } = event
  return {
    kind: 'signedOut',
    revocation,
    ...(handedOutUntil === undefined ? {} : { handedOutUntil }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** `notPossible` never changes. Only a pending revocation becomes done or refused. */
function revocationChanged(state: Extract<BaseState, { kind: 'signedOut' }>, revocation: Revocation): BaseState {
  if (state.revocation === revocation || state.revocation === 'notPossible') return state
  if ((revocation === 'done' || revocation === 'refused') && state.revocation !== 'pending') return state
  if (revocation === 'refused') return { ...state, revocation }
  const { revocationFailure: _, revocationIssuer: __, ...rest } = state
  return { ...rest, revocation }
}

function failed(state: BaseState, event: Extract<SessionEvent, { type: 'refreshFailed' }>): BaseState {
  // After a refused refresh token, a failed retry by the user only ends the refresh.
  if (isEndingOrExpired(state)) return { ...state, refresh: 'idle' }
  const token = validTokenAt(state, event.now)
  return {
    kind: 'unreachable',
    account: event.account,
    ...(token === undefined ? {} : { token }),
    refresh: 'idle',
    kept: event.kept,
    failure: event.failure,
    retryAt: event.retryAt,
    ...(event.end && { end: event.end }),
  }
}

function refused(state: BaseState, event: Extract<SessionEvent, { type: 'refreshRefused' }>): BaseState {
  const token = validTokenAt(state, event.now)
  return token === undefined
    ? { kind: 'expired', account: event.account, refresh: 'idle', failure: event.failure }
    : { kind: 'ending', account: event.account, token, refresh: 'idle', kept: event.kept, failure: event.failure }
}

function validTokenAt(state: BaseState, now: number): TokenLife | undefined {
  const token = tokenOf(state)
  return token !== undefined && token.expiresAt > now ? token : undefined
}

function ranOut(state: BaseState): BaseState {
  if (state.kind === 'ending')
    return { kind: 'expired', account: state.account, refresh: state.refresh, failure: state.failure }
  if (state.kind === 'unreachable' && state.token !== undefined) {
    const { token: _, ...rest } = state
    return rest
  }
  return state
}

export class PublishedState {
  readonly #listeners = new Listeners<SessionState>()
  #now: SessionState = { kind: 'restoring' }

  get now(): SessionState {
    return this.#now
  }

  /** Calls the listener at once and after every change. Returns a function that removes it. */
  subscribe(listener: (state: SessionState) => void): () => void {
    const undo = this.#listeners.subscribe((state) => {
      // If an earlier listener has changed the state again, this listener has already been called with the newer state.
      if (this.#now === state) listener(state)
    })
    listener(this.#now)
    return undo
  }

  dispatch(event: SessionEvent): void {
    const next = transition(this.#now, event)
    if (next === this.#now) return
    this.#now = next
    this.#listeners.tell(next)
  }

  close(): void {
    this.#listeners.clear()
  }
}
