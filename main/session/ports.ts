/** What the engine needs from outside, as small interfaces. It imports no adapter; they are handed in. */
import type { Authenticator } from '../../contract/challenges.ts'
import type { Failure, Outcome } from '../../contract/failures.ts'
import type { AccessToken, EntryText, Password, RefreshToken, Secret } from './secret.ts'
import type { TokenPair } from './token-pair.ts'

/** Elapsed time that includes sleep and never goes back, and timers that hold a deadline. */
export interface Clock {
  /** Elapsed milliseconds since an arbitrary start: the larger of the wall clock's and the monotonic clock's advance. */
  now(): number
  /** The desktop's wall clock: milliseconds since the epoch. For display only. */
  wall(): number
  /** Calls `action` once, when `now()` has reached `deadline`; returns the undo. Survives sleep: deadlines are re-checked. */
  at(deadline: number, action: () => void): () => void
}

/** A number in [0, 1). */
export type Random = () => number

export interface Credentials {
  readonly username: string
  readonly password: Password
}

export type MfaToken = Secret<'MFA token'>

/** `mfaToken`: of a failure after which the provider's second factor can go on. */
export type LoginOutcome = Outcome<TokenPair> & { readonly mfaToken?: MfaToken }

/** Endpoint 5. No method throws for what a network or a server does: failures are data. */
export interface IdentityProvider {
  /** The normalised address that its tokens come from and go to. */
  readonly issuer: string
  login(credentials: Credentials): Promise<LoginOutcome>
  /** Answers `sessionEnded` only if the refresh token was refused. */
  refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
}

/** How an authenticator asks for its proof. */
export type FactorChallenge =
  /** The authenticator shows a code at any time. */
  | { readonly kind: 'shownCode' }
  /** A code was sent, or an approval is asked for. */
  | {
      readonly kind: 'outOfBand'
      readonly oobCode: Secret<'out-of-band code'>
      /** Whether the user types what was sent; otherwise the provider is asked until the user has approved. */
      readonly isTyped: boolean
      /** How long to wait between two polls. */
      readonly intervalMs: number
    }

export type FactorProof =
  | { readonly kind: 'shownCode'; readonly code: Secret }
  | { readonly kind: 'outOfBand'; readonly oobCode: Secret<'out-of-band code'>; readonly code?: Secret }
  | { readonly kind: 'recoveryCode'; readonly code: Secret }

export type FactorVerification =
  | { readonly kind: 'tokens'; readonly tokens: TokenPair; readonly recoveryCode?: Secret<'new recovery code'> }
  /** Not approved yet. `slowDown`: polled too often. */
  | { readonly kind: 'pending'; readonly slowDown: boolean }
  /** `rejected`: the code is wrong, or the approval was refused. */
  | { readonly kind: 'failure'; readonly failure: Failure }

/** The second factor of the same provider. No method throws for what a network or a server does. */
export interface SecondFactorProvider {
  /** Those that Latchkey can use. */
  authenticators(mfaToken: MfaToken): Promise<Outcome<readonly Authenticator[]>>
  challenge(mfaToken: MfaToken, authenticator: Authenticator): Promise<Outcome<FactorChallenge>>
  verify(mfaToken: MfaToken, proof: FactorProof): Promise<FactorVerification>
}

/** A sign-in that the browser has been asked for. */
export interface Authorization {
  /** The page of the provider's authorization endpoint. SECURITY: the only address that Latchkey opens outside. */
  readonly address: URL
  /** Whether a callback belongs to this sign-in. */
  isOurs(callback: URLSearchParams): boolean
  /** Exchanges the callback's code, once. */
  redeem(callback: URLSearchParams): Promise<Outcome<TokenPair>>
}

/** The provider of a sign-in in the browser. No method throws for what a network or a server does. */
export interface AuthorizationServer {
  readonly issuer: string
  authorize(redirectUri: string): Promise<Outcome<Authorization>>
  /** Answers `sessionEnded` only if the refresh token was refused. */
  refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
  /** RFC 7009. `NO_REVOCATION` is the cause if the provider has no such endpoint. */
  revoke(refreshToken: RefreshToken): Promise<Outcome>
}

/** The listener for the browser's callback. */
export interface CallbackListener {
  readonly redirectUri: string
  /** The one valid callback; `undefined` once it is closed. */
  readonly received: Promise<URLSearchParams | undefined>
  close(): void
}

/** The page that the browser shows then. */
export interface CallbackPage {
  readonly language: string
  readonly title: string
  readonly body: string
}

/** Endpoints 1 to 4. */
export interface AuthService extends IdentityProvider {
  /** A refusal (`sessionEnded`) means that the token is dead. */
  logout(accessToken: AccessToken, refreshToken: RefreshToken): Promise<Outcome>
  changePassword(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

export type ReadResult =
  | { readonly kind: 'found'; readonly value: EntryText }
  | { readonly kind: 'missing' }
  /** The keychain is locked, so the entry may exist. */
  | { readonly kind: 'locked' }
  /** The keychain didn't answer in time. */
  | { readonly kind: 'unavailable'; readonly cause: string }

/**
 * Secrets by name. A failed read never deletes; a failed write never leaves half an entry that reads as complete. No
 * method throws because of the keychain.
 */
export interface SecretStore {
  readonly persistence: 'keychain' | 'memory'
  read(name: string): Promise<ReadResult>
  /** `ok: false` is always `keychainUnavailable`. */
  write(name: string, value: EntryText): Promise<Outcome>
  /** Deleting a missing entry succeeds. */
  delete(name: string): Promise<Outcome>
}

/**
 * The markers of keychain entries in the settings, by name. Not secret. They are needed because on Linux a locked
 * keychain looks empty.
 *
 * - `stored`: a session. Set before the entry is written.
 * - `revoking`: the same, and pending revocations of earlier sessions.
 * - `signedOut`: no session is ever restored from the entry. Cleared after it is deleted.
 */
export type Marker = 'stored' | 'revoking' | 'signedOut'

/**
 * The marker of an entry of version 1. `leaving`: the user signed out, and the entry may not have been deleted yet.
 * `adopted`: its content is in the entry of today; it only has to be deleted.
 */
export type LegacyMarker = 'stored' | 'leaving' | 'adopted'

/** Written at once (synchronously), so that a crash right after finds it. */
export interface StoredMarker {
  get(name: string): Marker | LegacyMarker | undefined
  set(name: string, marker: Marker | LegacyMarker): void
  clear(name: string): void
}
