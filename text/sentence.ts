/** The parts of the sentences about failures. */
import type { Failure } from '../contract/failures.ts'
import type { IssuerKind } from '../contract/grants.ts'

/** `title`: what happened. `body`: what to do. */
export interface Sentence {
  readonly title: string
  readonly body: string
}

/**
 * What failed. `settings`: saving them, including the service's address. `challenge`: a further step of a sign-in.
 * `session`: signing out, or a refresh.
 */
export type Operation = 'settings' | 'signIn' | 'challenge' | 'session' | 'changePassword'

/** The service, or the identity provider of single sign-on. */
export interface ServerRole {
  readonly issuer: IssuerKind
  /** The host as users see it. */
  readonly host: string | undefined
}

/** `host` is the service's host; the provider's host is in the failure. */
export function askedOf(issuer: IssuerKind, host: string | undefined, failure: Failure | undefined): ServerRole {
  return { issuer, host: issuer === 'identityProvider' ? failure?.details?.host?.replace(/:443$/, '') : host }
}
