import type { FailureCode } from '../../contract/failures.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import type { AccessToken } from '../base/secret.ts'

/** A token, whose times are milliseconds of `Clock.now()`. */
export interface CurrentToken {
  /** Stays the same object until there is a new token. */
  readonly accessToken: AccessToken
  readonly receivedAt: number
  readonly expiresAt: number
}

/** `unavailable`: the issuer responded, but with an error or a web page. */
export type NoTokenReason = FailureCode | 'unavailable'

export type RefreshState =
  /** Tools can request a refresh once `Clock.now()` is `notBefore`. `failure` says why the last one failed. */
  | {
      readonly kind: 'idle'
      readonly notBefore: number
      readonly failure?: NoTokenReason
      /** Absent for the service itself. */
      readonly issuer?: IssuerKind
    }
  | { readonly kind: 'running' }
  /** Only a sign-in brings another token, because the refresh token was refused or there is none. */
  | { readonly kind: 'impossible' }

/** Where an open sign-in waits for the user. */
export type WaitingIn = 'browser' | 'window'

/** What the agent knows of the session. A new token appears here once it is stored. */
export type TokenState =
  /** Signed out, or the session has ended and its token has expired. */
  | { readonly kind: 'signedOut'; readonly waitingIn?: WaitingIn }
  /** The keychain is being read. */
  | { readonly kind: 'restoring' }
  /** The keychain is locked, and only the user can unlock it. */
  | { readonly kind: 'locked' }
  | {
      readonly kind: 'signedIn'
      readonly account: string
      /** The newest token. It may have expired, because it stays here during a refresh and after a failed one. */
      readonly token?: CurrentToken
      readonly refresh: RefreshState
    }

/** The session engine, as the agent sees it. `describeTokenSource` tests this contract. */
export interface TokenSource {
  /** Must be cheap, because each request reads it. */
  readonly tokenState: TokenState
  /** Unless one is under way. If the refresh could begin, `tokenState` says `running` at once. Never throws. */
  refresh(): void
  /** Calls the listener at once, and after every change of `tokenState` and every refresh. Returns the undo. */
  subscribe(listener: () => void): () => void
}

export type AskResult = 'token' | 'signedOut'

export type TokenRequest =
  /** A token that is valid for `minValidity` more milliseconds. Without `isStrict`, one that expires sooner will do. */
  | { readonly kind: 'valid'; readonly minValidity: number; readonly isStrict: boolean }
  /** Any token but `than`, to which the service responded with 401. */
  | { readonly kind: 'another'; readonly than: AccessToken }

export type TokenResult =
  | CurrentResult
  /** The agent was turned off, or Latchkey quits. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'tooManyWaiting' }
  /** A remote machine rejects tokens too quickly. It may reject another at `retryAt`, a time of `Clock.now()`. */
  | { readonly kind: 'rejectedTooSoon'; readonly retryAt: number }

export type CurrentResult =
  | { readonly kind: 'token'; readonly token: CurrentToken; readonly account: string }
  | { readonly kind: 'signedOut'; readonly waitingIn?: WaitingIn }
  /** The token expires in `left` milliseconds, sooner than requested. */
  | { readonly kind: 'tooShort'; readonly left: number; readonly minValidity: number }
  /** `retryAt` is a time of `Clock.now()`. */
  | {
      readonly kind: 'unavailable'
      readonly reason: NoTokenReason
      readonly retryAt: number
      readonly issuer?: IssuerKind
    }

/** Lets a tool wait for a token for as long as `milliseconds`, so that the user can sign in meanwhile. */
export interface LongWait {
  readonly milliseconds: number
  /** Called when the wait begins. Returns a function to call when it ends, or `undefined` if too many tools wait. */
  readonly begin: () => (() => void) | undefined
}

/** Calls `onChange` with the last user once that user has signed out or another has signed in. Returns the undo. */
export function watchAccount(source: TokenSource, onChange: (last: string | undefined) => void): () => void {
  let last: string | undefined
  return source.subscribe(() => {
    const { tokenState } = source
    // Until the keychain is read, the user isn't known.
    if (tokenState.kind === 'restoring' || tokenState.kind === 'locked') return
    const person = tokenState.kind === 'signedIn' ? tokenState.account : undefined
    if (person !== last) onChange(last)
    last = person
  })
}
