/** How an operation ends: with a value, or with a failure that is data. */
import type { SettingProblems } from './settings.ts'

/** Everything that can go wrong, as one closed union. Each has a sentence of its own in `text/`. */
export const FAILURE_CODES = [
  'rejected',
  'sessionEnded',
  'rateLimited',
  'unreachable',
  'untrustedCertificate',
  'proxyAuthenticationRequired',
  'malformedResponse',
  'passwordRefused',
  'interactionRequired',
  'keychainUnavailable',
  'notConfigured',
  'invalidInput',
  'notConfirmed',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** What stopped a sign-in, if its code alone doesn't say what to do. Each has a sentence of its own. */
export const SIGN_IN_PROBLEMS = [
  /** The provider's time for the second factor is over. */
  'stepExpired',
  /** The user has no authenticator that Latchkey can use. */
  'notEnrolled',
  /** The provider asks for a second factor, but has no interface for it. */
  'noSecondFactor',
  /** The user refused on the phone. */
  'approvalRefused',
  /** An authenticator app's code has six or eight digits. */
  'codeLength',
  /** There is no browser that opens. */
  'browserUnavailable',
  /** The browser did not come back. */
  'browserTimeout',
  /** The user, or the provider for them, declined in the browser. */
  'consentDenied',
  /** The answer failed a check against forged sign-ins. */
  'answerRefused',
  /** The port for the browser's way back is in use. */
  'portTaken',
] as const
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]

/** What the details line shows. No field ever holds a secret. */
export interface FailureDetails {
  readonly operation?: string
  /** Host and port that was asked. */
  readonly host?: string
  readonly status?: number
  readonly proxy?: string
  readonly certificate?: {
    readonly subject: string
    readonly issuer: string
    readonly validFrom: string
    readonly validTo: string
  }
  /** The request was sent but not answered, so its effect is unknown. */
  readonly sent?: true
  /** The technical cause in a few words, such as `ENOTFOUND` or `HTML answer`. */
  readonly cause?: string
  /** When the request was made: ISO 8601, UTC. */
  readonly at?: string
}

export interface Failure {
  readonly code: FailureCode
  readonly problem?: SignInProblem
  /** The server's own words: plain text, at most 300 characters. */
  readonly serverText?: string
  /** Seconds to wait before asking again, from `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number
  /** Of `saveSettings` and `checkSettings`: what is wrong with which value. */
  readonly fields?: SettingProblems
  readonly details?: FailureDetails
}

/** The cause of a failure if a proxy refused the credentials. */
const PROXY_REFUSES = 'proxy credentials refused'

/** The cause of a failure if the session in the keychain came from another issuer than the settings name. */
export const OTHER_ISSUER = 'session of another issuer'

/** The proxy that a failure asks the user to sign in to; `undefined` if none does, or if it accepts no password. */
export function proxyToSignInTo({ code, details: { proxy, cause } = {} }: Failure): string | undefined {
  const asks = code === 'proxyAuthenticationRequired' && (cause === undefined || cause === PROXY_REFUSES)
  return asks ? proxy : undefined
}

/** Whether that proxy has refused the existing credentials. */
export const isProxyRefusal = ({ details }: Failure): boolean => details?.cause === PROXY_REFUSES

/** The cause of a failure to revoke if the issuer has no way to. */
export const NO_REVOCATION = 'no revocation endpoint'

/** Expected failures are data; only bugs throw. */
export type Outcome<T = undefined> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export const OK: Outcome = { ok: true, value: undefined }

export const fail = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })
