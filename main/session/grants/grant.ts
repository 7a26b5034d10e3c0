/** The interface of every sign-in method. The session engine asks what a grant can do, never which grant it is. */
import type { ChallengeDescription } from '../../../contract/challenges.ts'
import type { Failure, Outcome } from '../../../contract/failures.ts'
import type { Capabilities, GrantDescription } from '../../../contract/grants.ts'
import type { InputName, InputValues } from '../../../contract/input-fields.ts'
import { type AccessToken, type Password, password, type RefreshToken, Secret } from '../../base/secret.ts'
import type { Credentials, TokenPair } from '../ports.ts'

/** The user's input for a grant or a challenge. Everything except the username is secret. */
export type GrantInput = { readonly [N in Exclude<InputName, 'username'>]?: Secret<N> } & {
  readonly username?: string
  /** The chosen option of a challenge. */
  readonly option?: string
}

/** The result of one step of a sign-in. A failure ends the sign-in. */
export type GrantStep =
  | { readonly kind: 'tokens'; readonly tokens: TokenPair }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** `failure`: why the previous answer was refused. The same challenge can be answered again. */
  | { readonly kind: 'challenge'; readonly challenge: Challenge; readonly failure?: Failure }

/** A further step that the issuer requires. It holds the grant's state between two steps. */
export interface Challenge {
  readonly description: ChallengeDescription
  /**
   * A secret that the page may show only while this challenge is open. SECURITY: no description and no state contains
   * it.
   */
  readonly revealed?: Secret<'new recovery code'>
  /**
   * True if the response may contain a secret that exists nowhere else. Until that response has arrived, the sign-in
   * can't be cancelled.
   */
  readonly mayReveal?: true
  /**
   * Resolves when the challenge's time is up. The sign-in then calls `answer` itself, which returns a failure, because
   * the page may be closed.
   */
  readonly expired?: Promise<void>
  /** Opens the provider's page in the browser again. */
  reopen?(): Promise<Outcome>
  /** Answers the challenge, or waits for the user's approval. Called again only after its promise has resolved. */
  answer(input: GrantInput): Promise<GrantStep>
  /** Ends timers, polling and listeners. An answer under way resolves soon. */
  cancel(): void
}

/** A sign-in method. No function of a grant throws because of a network or server error: failures are data. */
export interface Grant {
  /** Declares the capabilities. A grant has exactly the functions of its capabilities. */
  readonly description: GrantDescription
  /** The normalised address that issues the grant's tokens and receives them: the service's or the provider's. */
  readonly issuer: string
  /** The client that the issuer gives the tokens to, if a revocation must name this client. */
  readonly client?: string | undefined
  /**
   * Once `signal` aborts, the grant closes what it opened, sends the user no code and no request for approval, and
   * opens no page.
   */
  begin(input: GrantInput, signal?: AbortSignal): Promise<GrantStep>
  /** Returns `sessionEnded` only if the refresh token was refused. */
  refresh?(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
  /**
   * A refusal (`sessionEnded`) means that the refresh token is already invalid, or that the request needs a valid
   * access token.
   */
  revoke?(accessToken: AccessToken | undefined, refreshToken: RefreshToken): Promise<Outcome>
  changePassword?(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

export type Capable<C extends keyof Capabilities> = Grant & Required<Pick<Grant, C>>

/** True if the grant exists and declares these capabilities. All code that needs a capability checks it here. */
export const isCapable = <C extends keyof Capabilities>(
  grant: Grant | undefined,
  ...capabilities: readonly C[]
): grant is Capable<C> => grant !== undefined && capabilities.every((each) => grant.description.capabilities[each])

/**
 * The grants of a connection, by name. SECURITY: this is a map, not a record, because a name from the keychain could
 * be the name of an inherited property.
 */
export type Grants = ReadonlyMap<string, Grant>

/** The grant and the issuer that a token came from. */
export interface Origin {
  readonly grant: string
  readonly issuer: string
  readonly client?: string | undefined
}

/**
 * Finds the grant of an older token after the grant was removed from the settings. The returned grant can only refresh
 * and revoke.
 */
export type FindRemovedGrant = (origin: Origin) => Grant | undefined

export const grantsByName = (grants: readonly Grant[]): Grants =>
  new Map(grants.map((grant) => [grant.description.name, grant]))

/** Converts the arguments of a call: every value except the username and the option becomes a `Secret`. */
export function grantInput({ username, option, ...secrets }: InputValues & { readonly option?: string }): GrantInput {
  const wrapped = Object.entries(secrets).map(([name, value]) => [name, new Secret(name, value)])
  return {
    ...(Object.fromEntries(wrapped) as GrantInput),
    ...(username !== undefined && { username }),
    ...(option !== undefined && { option }),
  }
}

/** Returns the username and the password. The parser of the call has checked that both are present. */
export const credentialsOf = ({ username = '', password: typed = password('') }: GrantInput): Credentials => ({
  username,
  password: typed,
})

/** The step that follows from a response, for grants without challenges. */
export const failed = (failure: Failure): GrantStep => ({ kind: 'failure', failure })

export const stepOf = (response: Outcome<TokenPair>): GrantStep =>
  response.ok ? { kind: 'tokens', tokens: response.value } : failed(response.failure)
