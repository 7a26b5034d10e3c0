/**
 * The agent's port to the session: the current token, and one refresh at a time. The agent decides how long tools wait.
 */
import type { FailureCode } from '../../contract/failures.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import type { AccessToken } from '../base/secret.ts'

/**
 * The current access token, with the times of its receipt and its expiry: milliseconds on the `Clock` (`Clock.now()`).
 */
export interface CurrentToken {
  /** The same object as long as the token is the same. */
  readonly accessToken: AccessToken
  readonly receivedAt: number
  readonly expiresAt: number
}

/** `unavailable`: the issuer was reached, but answered with an error or a page. */
export type NoTokenReason = FailureCode | 'unavailable'

export type RefreshState =
  /**
   * No refresh is under way. From `notBefore` on (on the `Clock`), tools can request one: after a failure, as the
   * service's `Retry-After` says, or within a second; otherwise at once. `failure` says why the last refresh failed.
   */
  | {
      readonly kind: 'idle'
      readonly notBefore: number
      readonly failure?: NoTokenReason
      /** Where it failed; absent at the service. */
      readonly issuer?: IssuerKind
    }
  | { readonly kind: 'running' }
  /** Only a new sign-in yields another token: the refresh token was refused, or there never was one. */
  | { readonly kind: 'impossible' }

/** Where an open sign-in waits for the user: in the browser, or at a further step in the window. */
export type WaitingIn = 'browser' | 'window'

/** The session's current state and token. A token that is not stored yet is not included. */
export type TokenState =
  /** Signed out, or the session has ended and its token has expired. */
  | { readonly kind: 'signedOut'; readonly waitingIn?: WaitingIn }
  /** Not known yet: the keychain is being read. */
  | { readonly kind: 'restoring' }
  /** The keychain is locked: only the user can unlock it. */
  | { readonly kind: 'locked' }
  | {
      readonly kind: 'signedIn'
      readonly account: string
      /** Kept during a refresh and after a failed refresh. The token may have expired. */
      readonly token?: CurrentToken
      readonly refresh: RefreshState
    }

/** The session engine, as the agent sees it. `describeTokenSource` tests that an implementation meets this contract. */
export interface TokenSource {
  /** The current value. Read for each request, so it must be cheap. */
  readonly tokenState: TokenState
  /**
   * Begins a refresh, unless one is under way. Never throws, never waits. If a refresh has begun, `tokenState` says
   * `running` when this returns; if none could begin, `tokenState` is unchanged.
   */
  refresh(): void
  /**
   * Calls `listener` immediately and after every change of `tokenState`. When a refresh ends, successfully or not,
   * `tokenState` is no longer `running`, so the listener is called. Returns a function that removes the listener.
   */
  subscribe(listener: () => void): () => void
}

/** A tool's request. */
export type Want =
  /**
   * A token that is valid for at least `minValidity` more milliseconds. With `isStrict`, a shorter-lived token is not
   * accepted.
   */
  | { readonly kind: 'valid'; readonly minValidity: number; readonly isStrict: boolean }
  /** Any token except `than`, which the service refused with 401. */
  | { readonly kind: 'another'; readonly than: AccessToken }

export type TokenAnswer =
  | CurrentAnswer
  /** Waiting tools get this answer when the agent is turned off or Latchkey quits. */
  | { readonly kind: 'stopping' }
  /** The connection was removed. */
  | { readonly kind: 'removed' }
  /** The tool can't wait for a token, because too many others do. */
  | { readonly kind: 'tooManyWaiting' }
  /** A remote machine has rejected tokens too quickly. It may reject another one at `retryAt`, a time on the `Clock`. */
  | { readonly kind: 'rejectedTooSoon'; readonly retryAt: number }

/** The possible answers while the agent is on. */
export type CurrentAnswer =
  | { readonly kind: 'token'; readonly token: CurrentToken; readonly account: string }
  | { readonly kind: 'signedOut'; readonly waitingIn?: WaitingIn }
  /** The best available token expires in `left` milliseconds, sooner than requested. */
  | { readonly kind: 'tooShort'; readonly left: number; readonly minValidity: number }
  /** `retryAt`: when to retry, as a time on the `Clock` (`Clock.now()`). */
  | {
      readonly kind: 'unavailable'
      readonly reason: NoTokenReason
      readonly retryAt: number
      readonly issuer?: IssuerKind
    }

/** A tool that waits until there is a token, whatever happens to the session meanwhile. */
export interface LongWait {
  readonly milliseconds: number
  /**
   * Called when no token is on its way: the user has to sign in, or the issuer can't be reached. Returns a function that
   * is called when the wait is over, or `undefined` if no more tools can wait.
   */
  readonly begin: () => (() => void) | undefined
}

/**
 * Calls the listener when the user has signed out, or when another user has signed in. `last`: who was signed in;
 * `undefined` if nobody was. Returns a function that removes the listener.
 */
export function watchPerson(source: TokenSource, onChange: (last: string | undefined) => void): () => void {
  let last: string | undefined
  return source.subscribe(() => {
    const { tokenState } = source
    // Until the keychain has been read, it is unknown who is signed in.
    if (tokenState.kind === 'restoring' || tokenState.kind === 'locked') return
    const person = tokenState.kind === 'signedIn' ? tokenState.account : undefined
    if (person !== last) onChange(last)
    last = person
  })
}
