/**
 * The engine's ports: small interfaces to everything outside it. The engine imports no adapter; adapters are passed in.
 */
import type { Authenticator } from '../../contract/challenges.ts'
import type { Failure, FailureDetails, Outcome } from '../../contract/failures.ts'
import type { AccessToken, EntryText, Password, RefreshToken, Secret } from '../base/secret.ts'

/** A number in [0, 1). */
export type Random = () => number

/** An issuer's tokens. Some issuers give no refresh token. */
export interface TokenPair {
  readonly accessToken: AccessToken
  readonly refreshToken?: RefreshToken
  /** The response's `Date`, in milliseconds since the epoch. */
  readonly serverTime?: number
  /** `expires_in` (RFC 6749 section 5.1), in seconds. */
  readonly expiresIn?: number
  /** How long the refresh token is valid, in seconds; 0: without a limit. */
  readonly refreshExpiresIn?: number
  /** Claims of a validated ID token. They name the user if the access token doesn't. */
  readonly identity?: Readonly<Record<string, unknown>>
  /**
   * The Clock's time of receipt. Present only if the user must confirm a new recovery code before the tokens are used.
   */
  readonly receivedAt?: number
}

export interface Credentials {
  readonly username: string
  readonly password: Password
}

export type MfaToken = Secret<'MFA token'>

/** `mfaToken`: present if sign-in can continue with the provider's second factor. */
export type LoginOutcome = Outcome<TokenPair> & { readonly mfaToken?: MfaToken }

/** The identity provider's token endpoint. No method throws because of a network or server error: failures are data. */
export interface IdentityProvider {
  /** The normalised address of the tokens' issuer. Refresh tokens are sent only to this address. */
  readonly issuer: string
  login(credentials: Credentials): Promise<LoginOutcome>
  /** Returns `sessionEnded` only if the refresh token was refused. */
  refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
}

/** How the user confirms a sign-in with an authenticator. */
export type FactorChallenge =
  /** The authenticator itself shows a code; the provider sends nothing. */
  | { readonly kind: 'shownCode' }
  /** The provider sent a code or asked the user for approval. */
  | {
      readonly kind: 'outOfBand'
      readonly oobCode: Secret<'out-of-band code'>
      /** True if the user types a code; otherwise Latchkey polls the provider until the user has approved. */
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
  /** Not approved yet. `slowDown`: the provider asks for longer delays between polls. */
  | { readonly kind: 'pending'; readonly slowDown: boolean }
  /** `rejected`: the code is wrong, or the approval was refused. */
  | { readonly kind: 'failure'; readonly failure: Failure }

/** The second factor at the identity provider. No method throws because of a network or server error. */
export interface SecondFactorProvider {
  /** Those of the user's authenticators that Latchkey supports. */
  authenticators(mfaToken: MfaToken): Promise<Outcome<readonly Authenticator[]>>
  challenge(mfaToken: MfaToken, authenticator: Authenticator): Promise<Outcome<FactorChallenge>>
  verify(mfaToken: MfaToken, proof: FactorProof): Promise<FactorVerification>
}

/** Succeeds if a server answers at this address. */
export type Probe = (baseAddress: string) => Promise<Outcome>

/** A sign-in that continues in the browser. */
export interface Authorization {
  /**
   * The page of the provider's authorization endpoint. SECURITY: the only address that Latchkey opens outside its
   * window.
   */
  readonly address: URL
  /** What may be the reason if the browser never returns. */
  readonly details?: FailureDetails
  /** True if the callback belongs to this sign-in. */
  isOurs(callback: URLSearchParams): boolean
  /** Exchanges the callback's code for tokens. Call it only once. */
  redeem(callback: URLSearchParams): Promise<Outcome<TokenPair>>
}

/** The provider's response to the start of a sign-in, tried without a user. */
export type SignInCheck =
  /** `isGuessed`: the provider has no metadata. `noRefresh`: why people will hardly stay signed in. */
  | { readonly kind: 'ready'; readonly page: URL; readonly isGuessed: boolean; readonly noRefresh?: string }
  /** The provider sent this error, or answered the client's authentication with it. */
  | { readonly kind: 'refused'; readonly cause: string }
  /** The provider's page shows an error, as for an unknown client or redirect address (RFC 6749 section 4.1.2.1). */
  | { readonly kind: 'errorPage'; readonly status: number; readonly isGuessed: boolean }

/** The provider for sign-in in the browser. No method throws because of a network or server error. */
export interface AuthorizationServer {
  readonly issuer: string
  /** Latchkey's client identifier at the provider. */
  readonly client: string
  /** @param asksConsent true to make the provider ask for consent, even if it already has it. */
  authorize(redirectUri: string, asksConsent?: boolean): Promise<Outcome<Authorization>>
  /** Returns `sessionEnded` only if the refresh token was refused. */
  refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
  /**
   * Revokes the token (RFC 7009). The cause of a failure is `NO_REVOCATION` if the provider has no revocation endpoint,
   * and `NO_METADATA` if it isn't known whether the provider has that endpoint.
   */
  revoke(refreshToken: RefreshToken): Promise<Outcome>
}

/** The listener for the browser's callback. */
export interface CallbackListener {
  readonly redirectUri: string
  /** Resolves to the valid callback, or to `undefined` if the listener is closed first. */
  readonly received: Promise<URLSearchParams | undefined>
  /** Shows in the browser how the sign-in ended. Until then, the browser waits. */
  show(result: SignInResult): void
  /** Stops listening. If the browser still waits, it shows that the sign-in failed. */
  close(): void
}

export type SignInResult = 'signedIn' | 'declined' | 'failed'

/** The page that the browser shows after the callback, for each result. */
export interface CallbackPage {
  readonly language: string
  readonly texts: { readonly [R in SignInResult]: { readonly title: string; readonly body: string } }
}

/** The service's endpoints: login, refresh, logout and password change. */
export interface AuthService extends IdentityProvider {
  /** A refusal (`sessionEnded`) means that the refresh token is already invalid. */
  logout(accessToken: AccessToken, refreshToken: RefreshToken): Promise<Outcome>
  changePassword(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

export type ReadResult =
  | { readonly kind: 'found'; readonly value: EntryText }
  | { readonly kind: 'missing' }
  /** The keychain is locked, so Latchkey can't know whether the entry exists. */
  | { readonly kind: 'locked' }
  /** The keychain did not answer in time. */
  | { readonly kind: 'unavailable'; readonly cause: string }

/**
 * Secrets by name. A failed read never deletes. A failed write never leaves an incomplete entry that looks complete. No
 * method throws because of the keychain.
 */
export interface SecretStore {
  readonly persistence: 'keychain' | 'memory'
  read(name: string): Promise<ReadResult>
  /** A failure always has the code `keychainUnavailable`. */
  write(name: string, value: EntryText): Promise<Outcome>
  /** Deleting a missing entry succeeds. */
  delete(name: string): Promise<Outcome>
}

/**
 * What a keychain entry may contain, recorded in the settings because a locked keychain looks empty on Linux. Not
 * secret. `stored`: the entry has a session; set before the entry is written. `revoking`: also pending revocations of
 * earlier sessions. `signedOut`: nothing is ever restored from the entry; cleared after it is deleted.
 */
export type Marker = 'stored' | 'revoking' | 'signedOut'

/** Written synchronously, so that the marker survives a crash immediately afterwards. */
export interface StoredMarker {
  get(name: string): Marker | undefined
  /** False, and unchanged, if the settings can't be written, for example because the disk is full. */
  set(name: string, marker: Marker): boolean
  /** False as in `set`. */
  clear(name: string): boolean
}

/** How many sessions must have lasted equally long, so that the next one is expected to. */
export const LENGTHS_KEPT = 3

/** How long the last sessions at each issuer lasted until it ended them, in milliseconds; the latest last. */
export interface SessionLengths {
  lengthsAt(issuer: string): readonly number[]
  addLength(issuer: string, length: number): void
}
