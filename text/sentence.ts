import type { Failure, SignInProblem } from '../contract/failures.ts'
import type { IssuerKind } from '../contract/grants.ts'

export interface Sentence {
  readonly title: string
  readonly body: string
}

/** `settings`: also saving the service's address. `challenge`: a further step. `session`: signing out, or a refresh. */
export type Operation = 'settings' | 'signIn' | 'challenge' | 'session' | 'changePassword'

export interface ServerRole {
  readonly issuer: IssuerKind
  readonly host: string | undefined
}

/** `wait`: a sentence that says how long to wait. */
export type SignInProblems = { readonly [P in SignInProblem]: (asked: ServerRole, wait: string) => Sentence }

/** `host` is the service's host; the provider's host is in the failure. */
export function askedOf(issuer: IssuerKind, host: string | undefined, failure: Failure | undefined): ServerRole {
  return { issuer, host: issuer === 'identityProvider' ? failure?.details?.host?.replace(/:443$/, '') : host }
}
