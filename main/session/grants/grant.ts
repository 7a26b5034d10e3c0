/** What every sign-in method can do. The session engine asks what a grant can do, never which grant it is. */
import type { ChallengeDescription } from '../../../contract/challenges.ts'
import { type Failure, fail, type Outcome } from '../../../contract/failures.ts'
import type { Capabilities, GrantDescription } from '../../../contract/grants.ts'
import type { InputName, InputValues } from '../../../contract/input-fields.ts'
import { type AccessToken, type Password, password, type RefreshToken, Secret } from '../../base/secret.ts'
import type { Credentials, TokenPair } from '../ports.ts'

/** What the user enters for a grant or a challenge. All but the username is secret. */
export type GrantInput = { readonly [N in Exclude<InputName, 'username'>]?: Secret<N> } & {
  readonly username?: string
  readonly option?: string
}

export type GrantStep =
  | { readonly kind: 'tokens'; readonly tokens: TokenPair }
  | { readonly kind: 'failure'; readonly failure: Failure }
  /** `failure` says why the previous answer was refused. The same challenge can be answered again. */
  | { readonly kind: 'challenge'; readonly challenge: Challenge; readonly failure?: Failure }

/** One more step that the issuer asks for. The challenge keeps the grant's state until the user answers. */
export interface Challenge {
  readonly description: ChallengeDescription
  /** SECURITY: the new recovery code. No description and no state contains it. */
  readonly revealed?: Secret<'new recovery code'>
  /** If true, an answer can't be cancelled, because its response may have a secret that exists nowhere else. */
  readonly mayReveal?: true
  /** Resolves when the time is up. The sign-in then calls `answer`, which fails, so it ends even if nobody looks. */
  readonly expired?: Promise<void>
  reopen?(): Promise<Outcome>
  /** Answers the challenge, or waits for the user's approval. One call at a time. */
  answer(input: GrantInput): Promise<GrantStep>
  /** Ends timers, polling and listeners. A pending call of `answer` resolves soon. */
  cancel(): void
}

/** A sign-in method. Network and server errors are returned as failures, and never thrown. */
export interface Grant {
  /** Says what the grant can do. The grant has exactly the functions for these capabilities. */
  readonly description: GrantDescription
  /** The normalised address that issues and receives the grant's tokens: the service's or the provider's. */
  readonly issuer: string
  /** The client that the tokens are issued to. Set only if a revocation must name the client. */
  readonly client?: string | undefined
  /** Begins a sign-in. After an abort, it opens no page, requests no code or approval, and closes what it opened. */
  begin(input: GrantInput, signal?: AbortSignal): Promise<GrantStep>
  /** Fails with `sessionEnded` only if the refresh token was refused. */
  refresh?(refreshToken: RefreshToken): Promise<Outcome<TokenPair>>
  /** Fails with `sessionEnded` if the refresh token is no longer valid, or if a valid access token is needed. */
  revoke?(accessToken: AccessToken | undefined, refreshToken: RefreshToken): Promise<Outcome>
  changePassword?(accessToken: AccessToken, newPassword: Password): Promise<Outcome>
}

export type Capable<C extends keyof Capabilities> = Grant & Required<Pick<Grant, C>>

export const isCapable = <C extends keyof Capabilities>(
  grant: Grant | undefined,
  ...capabilities: readonly C[]
): grant is Capable<C> => grant !== undefined && capabilities.every((each) => grant.description.capabilities[each])

/** A connection's grants. SECURITY: not a plain object, because a name from the keychain could be `constructor`. */
export type Grants = ReadonlyMap<string, Grant>

export interface TokenOrigin {
  readonly grant: string
  readonly issuer: string
  readonly client?: string | undefined
}

/** Returns a grant that can only refresh and revoke, for a token whose grant is no longer in the settings. */
export type FindRemovedGrant = (origin: TokenOrigin) => Grant | undefined

export const grantsByName = (grants: readonly Grant[]): Grants =>
  new Map(grants.map((grant) => [grant.description.name, grant]))

/** Wraps every input except the username and the option in a secret. */
export function grantInput({ username, option, ...secrets }: InputValues & { readonly option?: string }): GrantInput {
  const wrapped = Object.entries(secrets).map(([name, value]) => [name, new Secret(name, value)])
  return {
    ...(Object.fromEntries(wrapped) as GrantInput),
    ...(username !== undefined && { username }),
    ...(option !== undefined && { option }),
  }
}

/** The username and the password. The parser of the window's input has checked that both are there. */
export const credentialsOf = ({ username = '', password: typed = password('') }: GrantInput): Credentials => ({
  username,
  password: typed,
})

export const failed = (failure: Failure): GrantStep => ({ kind: 'failure', failure })

export const stepOf = (response: Outcome<TokenPair>): GrantStep =>
  response.ok ? { kind: 'tokens', tokens: response.value } : failed(response.failure)

/** Failures that come from the engine instead of a server. */
export const sessionEnded = (cause: string): Failure => ({ code: 'sessionEnded', details: { cause } })
export const SUPERSEDED = fail(sessionEnded('signed out or signed in again meanwhile'))
export const RECOVERY_CODE_UNDER_WAY = fail({ code: 'interactionRequired', problem: 'recoveryCodeUnderWay' })
