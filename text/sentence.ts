/** Types for the sentences about failures, in every language. */
import type { Failure } from '../contract/failures.ts'
import type { IssuerKind } from '../contract/grants.ts'

/** What happened (`title`), then what to do next (`body`). */
export interface Sentence {
  readonly title: string
  readonly body: string
}

/**
 * The operation that failed. `settings`: saving settings, including the service's address. `challenge`: a further step
 * of a sign-in. `session`: signing out, or a refresh (automatic or by `Renew now`).
 */
export type Operation = 'settings' | 'signIn' | 'challenge' | 'session' | 'changePassword'

/** The server that was asked: the service, or the identity provider of a single sign-on. */
export interface ServerRole {
  readonly issuer: IssuerKind
  /** The server's name, as users see it. */
  readonly host: string | undefined
}

/** The server that was asked. `host` is the service's host; the failure contains the provider's host. */
export function askedOf(issuer: IssuerKind, host: string | undefined, failure: Failure | undefined): ServerRole {
  return { issuer, host: issuer === 'identityProvider' ? failure?.details?.host?.replace(/:443$/, '') : host }
}
