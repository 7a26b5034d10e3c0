/** The outcome of an operation: a value or a failure. */
import type { SettingProblems } from './settings.ts'

/** Every possible failure, as one closed union. Each code has its own message in `text/`. */
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
  /** The settings can't be written, for example because the disk is full. */
  'settingsUnwritable',
  'notConfigured',
  'invalidInput',
  'notConfirmed',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/**
 * The reason for a failed sign-in, if the failure's code alone doesn't show what the user should do. Each reason has
 * its own message in `text/`.
 */
export const SIGN_IN_PROBLEMS = [
  /** The provider's time limit for the second factor has passed. */
  'stepExpired',
  /** The provider doesn't know the sign-in's second step, although its time limit hasn't passed. */
  'stepRefused',
  /** The person's account is blocked, locked or disabled, so that another try can't succeed. */
  'accountBlocked',
  /** The service says that this person can sign in only with single sign-on. */
  'singleSignOnOnly',
  /** The user has no authenticator that Latchkey can use. */
  'notEnrolled',
  /** The provider requires a second factor, but doesn't let Latchkey ask for it. */
  'noSecondFactor',
  /** The user refused the sign-in on the phone. */
  'approvalRefused',
  /** An authenticator app's code has six or eight digits, but the user entered another number of digits. */
  'codeLength',
  /** No browser could be opened. */
  'browserUnavailable',
  /** The browser was opened too recently to be opened again. */
  'openedLately',
  /** The browser's callback did not arrive in time. */
  'browserTimeout',
  /** The user declined in the browser, or the provider refused the sign-in. */
  'consentDenied',
  /** The provider refused the code that the browser returned. */
  'browserRefused',
  /** The provider's answer failed a check that prevents forged sign-ins. */
  'answerRefused',
  /** Another program uses the port for the browser's callback. */
  'portTaken',
  /** Another connection's sign-in already uses the port for the browser's callback. */
  'otherSignIn',
  /** The action would end a sign-in with a recovery code, and a new recovery code would be lost. */
  'recoveryCodeUnderWay',
] as const
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]

/** The data in a failure's details line. No field ever holds a secret. */
export interface FailureDetails {
  readonly operation?: string
  /** Host and port of the request. */
  readonly host?: string
  readonly status?: number
  readonly proxy?: string
  /** The environment variable that names the proxy; absent if the system's settings do. */
  readonly proxyVariable?: string
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
  /** The time of the request: ISO 8601, UTC. */
  readonly at?: string
}

export interface Failure {
  readonly code: FailureCode
  readonly problem?: SignInProblem
  /** The server's own text: plain, at most 300 characters. */
  readonly serverText?: string
  /** Seconds to wait before the next request, from `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number
  /** For `saveSettings` and `checkSettings`: the problem with each value. */
  readonly fields?: SettingProblems
  readonly details?: FailureDetails
}

/**
 * True if the server itself answered, but with an error, a page or a redirect: then the network is not the reason.
 * `sent` means that the connection broke while the answer was read.
 */
export const isAnswered = ({ details: { status, sent, cause = '' } = {} }: Failure): boolean =>
  (status !== undefined && sent !== true && !cause.startsWith('proxy')) || SENT_THROUGH_BROWSER.has(cause)

/** Errors of a provider that fails, as it sends them through the browser, without a status (RFC 6749 section 4.1.2.1). */
const SENT_THROUGH_BROWSER: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

/** The cause of a failure if a proxy refused the credentials. */
export const CREDENTIALS_REFUSED = 'proxy credentials refused'

/** The cause of a failure if the session in the keychain came from a different issuer than the one in the settings. */
export const OTHER_ISSUER = 'session of another issuer'

/**
 * The cause of a failure if the session in the keychain belongs to a different client ID than the one in the settings.
 */
export const OTHER_CLIENT = 'session of another client'

/**
 * The proxy that a failure asks the user to sign in to. `undefined` if there is no such proxy, or if it doesn't accept
 * passwords.
 */
export function proxyToSignInTo({ code, details: { proxy, cause } = {} }: Failure): string | undefined {
  const asks = code === 'proxyAuthenticationRequired' && (cause === undefined || cause === CREDENTIALS_REFUSED)
  return asks ? proxy : undefined
}

/** True if the failure is a proxy's refusal of the existing credentials. */
export const isProxyRefusal = ({ details }: Failure): boolean => details?.cause === CREDENTIALS_REFUSED

/** The cause of a failed revocation if the issuer can't revoke tokens. */
export const NO_REVOCATION = 'no revocation endpoint'

/** The cause of a failed revocation if the issuer's metadata, which names the endpoint, is missing. */
export const NO_METADATA = 'no provider metadata'

/** Expected failures are data; only bugs throw. */
export type Outcome<T = undefined> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export const OK: Outcome = { ok: true, value: undefined }

export const fail = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })
