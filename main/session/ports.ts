/** What the engine needs from outside, as small interfaces. It imports no adapter; `main.ts` hands them in. */
import type { Outcome } from '../../contract/failures.ts'
import type { SignInMethod } from '../../contract/sign-in-methods.ts'
import type { AccessToken, EntryText, Password, RefreshToken } from './secret.ts'

/** One reading of time that neither sleeps nor jumps back, and timers that hold a deadline. */
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

/** What a service hands out: the TokenPair, or a provider's answer without a refresh token. */
export interface Issued {
  readonly accessToken: AccessToken
  readonly refreshToken?: RefreshToken
  /** The response's `Date`: milliseconds since the epoch. */
  readonly serverTime?: number
  /** `expires_in` (RFC 6749 section 5.1): seconds. */
  readonly expiresIn?: number
}

export interface Credentials {
  readonly username: string
  readonly password: Password
}

/**
 * The issuer of a session's tokens. None of its methods throws for what a network or a server does:
 * failures are data. `refresh` answers `sessionEnded` only when the refresh token was refused.
 */
export interface AuthService {
  /** The normalised address that its tokens come from and go to: the base address, or the provider's. */
  readonly issuer: string
  login(credentials: Credentials): Promise<Outcome<Issued>>
  refresh(refreshToken: RefreshToken): Promise<Outcome<Issued>>
  /** Absent where the issuer has no way to revoke. A refusal (`sessionEnded`) means that the token is dead. */
  logout?(accessToken: AccessToken, refreshToken: RefreshToken): Promise<Outcome>
  /** Absent where the password belongs to somebody else. */
  changePassword?(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

export type AuthServices = { readonly [M in SignInMethod]?: AuthService }

export type ReadResult =
  | { readonly kind: 'found'; readonly value: EntryText }
  | { readonly kind: 'missing' }
  /** The entry may be there: the keychain is locked. */
  | { readonly kind: 'locked' }
  /** The keychain didn't answer, or not in time. */
  | { readonly kind: 'unavailable'; readonly cause: string }

/**
 * Named secrets. A failed read never deletes, a failed write never leaves half an entry that reads as whole.
 * None of the methods throws for what a keychain does.
 */
export interface SecretStore {
  readonly persistence: 'keychain' | 'memory'
  read(name: string): Promise<ReadResult>
  /** `ok: false` is always `keychainUnavailable`. */
  write(name: string, value: EntryText): Promise<Outcome>
  /** Deleting what isn't there is a success. */
  delete(name: string): Promise<Outcome>
}

/**
 * What the settings remember of a keychain entry, by its name. No secret; the second witness beside the
 * keychain, because on Linux a locked one reads as an empty one.
 *
 * - `stored`: a session, or pending revocations, were written. Set before the entry is.
 * - `leaving`: the user signed out, and the entry may not have been deleted yet. It is never restored.
 */
export type Marker = 'stored' | 'leaving'

/** Written at once (synchronously), so that a crash right after finds it. */
export interface StoredMarker {
  get(name: string): Marker | undefined
  set(name: string, marker: Marker): void
  clear(name: string): void
}
