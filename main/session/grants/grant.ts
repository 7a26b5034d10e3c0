/** A sign-in method behind one interface. The engine asks what a grant can do, never which grant it is. */
import type { Failure, Outcome } from '../../../contract/failures.ts'
import type { SignInMethod } from '../../../contract/sign-in-methods.ts'
import type { AccessToken, Password, RefreshToken } from '../secret.ts'
import type { TokenPair } from '../token-pair.ts'

/** What a person types for the grants there are. */
export interface Credentials {
  readonly username: string
  readonly password: Password
}

/** One more step that the issuer asks for. */
export interface Challenge {
  readonly kind: string
}

export type GrantAnswer =
  | { readonly kind: 'tokens'; readonly tokens: TokenPair }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'challenge'; readonly challenge: Challenge }

/** What the issuer of a grant lets a session do. */
export interface Capabilities {
  readonly refresh: boolean
  readonly revoke: boolean
  readonly changePassword: boolean
}

/** None of its methods throws for what a network or a server does: failures are data. */
export interface Grant {
  readonly name: SignInMethod
  /** The normalised address that its tokens come from and go to: the base address, or the provider's. */
  readonly issuer: string
  readonly capabilities: Capabilities
  begin(credentials: Credentials): Promise<GrantAnswer>
  /** Answers `sessionEnded` only if the refresh token was refused. */
  refresh?(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
  /** A refusal (`sessionEnded`) means that the token is dead. */
  revoke?(accessToken: AccessToken, refreshToken: RefreshToken): Promise<Outcome>
  changePassword?(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

/** The grants of a connection, by name. */
export type Grants = { readonly [M in SignInMethod]?: Grant }
