/** What the engine needs from outside. The engine imports no adapter, because adapters are passed in. */
import type { Authenticator } from '../../contract/challenges.ts'
import type { Failure, FailureDetails, Outcome } from '../../contract/failures.ts'
import type { AccessToken, EntryText, Password, RefreshToken, Secret } from '../base/secret.ts'

export interface TokenPair {
  readonly accessToken: AccessToken
  readonly refreshToken?: RefreshToken
  /** The response's `Date`, in milliseconds since the epoch. */
  readonly serverTime?: number
  /** `expires_in` (RFC 6749 section 5.1), in seconds. */
  readonly expiresIn?: number
  /** How long the refresh token is valid, in seconds; 0 without a limit. */
  readonly refreshExpiresIn?: number
  /** Claims of a validated ID token. They name the user if the access token doesn't. */
  readonly identity?: Readonly<Record<string, unknown>>
  /** The time of receipt on the `Clock`, if the user must first confirm a new recovery code. */
  readonly receivedAt?: number
}

export interface Credentials {
  readonly username: string
  readonly password: Password
}

export type MfaToken = Secret<'MFA token'>

/** With an `mfaToken`, the sign-in can go on with the provider's second factor. */
export type LoginOutcome = Outcome<TokenPair> & { readonly mfaToken?: MfaToken }

/** The provider's token endpoint. Network and server errors are returned as failures, and never thrown. */
export interface IdentityProvider {
  /** The normalised address of the issuer. Only this address receives the issuer's refresh tokens. */
  readonly issuer: string
  login(credentials: Credentials): Promise<LoginOutcome>
  /** Fails with `sessionEnded` only if the refresh token was refused. */
  refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
}

export type FactorChallenge =
  /** The authenticator shows a code; the provider sends nothing. */
  | { readonly kind: 'shownCode' }
  /** The provider sent a code or asked the user for approval. */
  | {
      readonly kind: 'outOfBand'
      readonly oobCode: Secret<'out-of-band code'>
      /** If true, the user types a code. Otherwise Latchkey polls until the user has approved. */
      readonly isTyped: boolean
      readonly intervalMs: number
    }

export type FactorProof =
  | { readonly kind: 'shownCode'; readonly code: Secret }
  | { readonly kind: 'outOfBand'; readonly oobCode: Secret<'out-of-band code'>; readonly code?: Secret }
  | { readonly kind: 'recoveryCode'; readonly code: Secret }

export type FactorVerification =
  | { readonly kind: 'tokens'; readonly tokens: TokenPair; readonly recoveryCode?: Secret<'new recovery code'> }
  /** The user hasn't approved yet. With `slowDown`, the provider wants fewer polls. */
  | { readonly kind: 'pending'; readonly slowDown: boolean }
  /** `rejected`: the code is wrong, or the approval was refused. */
  | { readonly kind: 'failure'; readonly failure: Failure }

/** The provider's second factor. Network and server errors are returned as failures, and never thrown. */
export interface SecondFactorProvider {
  /** Those of the user's authenticators that Latchkey supports. */
  authenticators(mfaToken: MfaToken): Promise<Outcome<readonly Authenticator[]>>
  challenge(mfaToken: MfaToken, authenticator: Authenticator): Promise<Outcome<FactorChallenge>>
  verify(mfaToken: MfaToken, proof: FactorProof): Promise<FactorVerification>
}

/** Succeeds if a server responds at this address. */
export type ProbeAddress = (baseAddress: string) => Promise<Outcome>

export interface AuthorizationRequest {
  /** The provider's authorization endpoint. SECURITY: Latchkey opens no other address outside its window. */
  readonly address: URL
  /** The details of the failure if no callback comes in time. */
  readonly details?: FailureDetails
  isOurs(callback: URLSearchParams): boolean
  /** Exchanges the callback's code for tokens. To be called once. */
  redeem(callback: URLSearchParams): Promise<Outcome<TokenPair>>
}

export type SignInCheck =
  /** `isGuessed`: the addresses are guessed without metadata. `noRefresh`: why there is probably no refresh token. */
  | { readonly kind: 'ready'; readonly page: URL; readonly isGuessed: boolean; readonly noRefresh?: string }
  /** The provider responded with this error to the sign-in or to the client's authentication. */
  | { readonly kind: 'refused'; readonly cause: string }
  /** The provider's page shows an error, as for an unknown client or redirect address (RFC 6749 section 4.1.2.1). */
  | { readonly kind: 'errorPage'; readonly status: number; readonly isGuessed: boolean }

/** The provider for sign-in in the browser. Network and server errors are returned as failures, and never thrown. */
export interface AuthorizationServer {
  readonly issuer: string
  /** Latchkey's client id at the provider. */
  readonly client: string
  /** @param asksConsent true to have the provider ask for consent even if the user has consented before */
  authorize(redirectUri: string, asksConsent?: boolean): Promise<Outcome<AuthorizationRequest>>
  /** Fails with `sessionEnded` only if the refresh token was refused. */
  refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
  /** Revokes the token (RFC 7009). Without an endpoint, fails with `NO_REVOCATION`; without metadata, `NO_METADATA`. */
  revoke(refreshToken: RefreshToken): Promise<Outcome>
}

export interface CallbackListener {
  readonly redirectUri: string
  /** Resolves to the valid callback, or to `undefined` if the listener is closed first. */
  readonly received: Promise<URLSearchParams | undefined>
  /** Shows in the browser how the sign-in ended. Until then, the browser waits. */
  show(result: SignInResult): void
  /** Stops listening. A browser that still waits shows that the sign-in failed. */
  close(): void
}

export type SignInResult = 'signedIn' | 'declined' | 'failed'

export interface CallbackPage {
  readonly language: string
  readonly texts: { readonly [R in SignInResult]: { readonly title: string; readonly body: string } }
}

export interface AuthService extends IdentityProvider {
  /** Fails with `sessionEnded` if the refresh token is no longer valid. */
  logout(accessToken: AccessToken, refreshToken: RefreshToken): Promise<Outcome>
  changePassword(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

export type ReadResult =
  | { readonly kind: 'found'; readonly value: EntryText }
  | { readonly kind: 'missing' }
  /** The keychain is locked, so nobody knows whether the entry exists. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'unavailable'; readonly cause: string }

/**
 * Stores secrets by name. A failed read deletes nothing. A failed write never leaves part of an entry that looks
 * complete. Nothing throws.
 */
export interface SecretStore {
  readonly persistence: 'keychain' | 'memory'
  read(name: string): Promise<ReadResult>
  /** Fails only with `keychainUnavailable`. */
  write(name: string, value: EntryText): Promise<Outcome>
  /** Deleting a missing entry succeeds. */
  delete(name: string): Promise<Outcome>
}

/**
 * What the settings record about an entry, because a locked keychain looks empty on Linux. `stored`: the entry may have
 * a session; set before the entry is written. `revoking`: the entry may also have pending revocations of earlier
 * sessions. `signedOut`: no session in the entry is restored; cleared after the entry is deleted.
 */
export type Marker = 'stored' | 'revoking' | 'signedOut'

/** The markers of the entries. They are written synchronously, so that a crash right afterwards can't lose them. */
export interface StoredMarker {
  get(name: string): Marker | undefined
  /** Returns false if the settings can't be written, for example on a full disk. The marker then stays. */
  set(name: string, marker: Marker): boolean
  /** Returns false if the settings can't be written, as `set` does. */
  clear(name: string): boolean
}

/** After this many sessions of about the same length, the next session is expected to last as long. */
export const LENGTHS_KEPT = 3

/** How long sessions lasted until their issuer ended them, in milliseconds. The latest comes last. */
export interface SessionLengths {
  lengthsAt(issuer: string): readonly number[]
  addLength(issuer: string, length: number): void
}
