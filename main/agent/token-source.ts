/**
 * The agent's port to the session: the current token, and one refresh at a time. The agent decides how long tools wait.
 */
import type { FailureCode } from '../../contract/failures.ts'
import type { AccessToken } from '../session/secret.ts'

/** The current access token and its life: milliseconds on the Clock (`Clock.now()`), counted from its receipt. */
export interface HeldToken {
  /** The same object for as long as it is the same token. */
  readonly accessToken: AccessToken
  readonly receivedAt: number
  readonly expiresAt: number
}

export type RefreshState =
  /**
   * None is under way. `notBefore`: when tools may have one begun, on the Clock: the service's own `Retry-After`, else
   * at most a second after a failure, else in the past. `failure`: why the last one brought nothing.
   */
  | { readonly kind: 'idle'; readonly notBefore: number; readonly failure?: FailureCode }
  | { readonly kind: 'running' }
  /** Only a new sign-in yields another token: the refresh token was refused, or there never was one. */
  | { readonly kind: 'impossible' }

/** Where an open sign-in waits for the user: in the browser, or for one more step in the window. */
export type WaitingIn = 'browser' | 'window'

/** What the session has to give. It says what has been published: a token that is not yet kept is not in hand. */
export type Hand =
  /** Signed out, or the session has ended and its token has expired. */
  | { readonly kind: 'signedOut'; readonly waitingIn?: WaitingIn }
  /** Not known yet: the keychain is being read. */
  | { readonly kind: 'restoring' }
  /** The keychain is locked: only the user can go on. */
  | { readonly kind: 'locked' }
  | {
      readonly kind: 'signedIn'
      readonly account: string
      /** Kept during a refresh and if that fails. An expired one counts as none. */
      readonly token?: HeldToken
      readonly refresh: RefreshState
    }

/** The engine, as the agent sees it. `describeTokenSource` holds an implementation to this. */
export interface TokenSource {
  /** The current value. Read for each request, so it must be cheap. */
  readonly hand: Hand
  /**
   * Begins a refresh, or leaves the one under way alone. Never throws, never waits. Where it has begun one, `hand`
   * says `running` when this returns; where it could not, `hand` is as it was.
   */
  refresh(): void
  /**
   * Calls `listener` at once, and after every change of `hand` with the change made; returns the undo. The end of a
   * refresh, whatever it brought, is one such change: no `running` lasts for ever.
   */
  subscribe(listener: () => void): () => void
}
