import type { SettingProblems } from './settings.ts'

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
  'settingsUnwritable',
  'notConfigured',
  'invalidInput',
  'notConfirmed',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** Why a sign-in failed, if the `FailureCode` alone doesn't tell the user what to do. Each has a message in `text/`. */
export type SignInProblem =
  | 'stepExpired'
  /** The provider refused the second step, although its time limit hasn't passed. */
  | 'stepRefused'
  /** The account is blocked, locked or disabled, so another attempt can't succeed. */
  | 'accountBlocked'
  | 'singleSignOnOnly'
  | 'notEnrolled'
  /** The provider requires a second factor, but doesn't let Latchkey ask for it. */
  | 'noSecondFactor'
  | 'approvalRefused'
  /** The user entered a code of the wrong length: an authenticator app's codes have six or eight digits. */
  | 'codeLength'
  | 'browserUnavailable'
  | 'openedLately'
  | 'browserTimeout'
  /** The user declined in the browser, or the provider refused. */
  | 'consentDenied'
  /** The provider refused the authorization code. */
  | 'browserRefused'
  /** The browser's callback or the provider's response failed a check that prevents forged sign-ins. */
  | 'answerRefused'
  | 'portTaken'
  /** The sign-in of another connection has the port for the browser's callback. */
  | 'otherSignIn'
  /** The action would end a sign-in with a recovery code, and so lose the new code. */
  | 'recoveryCodeUnderWay'

/** What the window shows as details. SECURITY: no field ever holds a secret. */
export interface FailureDetails {
  readonly operation?: string
  /** Host and port of the request. */
  readonly host?: string
  readonly status?: number
  readonly proxy?: string
  /** The environment variable that names the proxy; absent if the system's settings name it. */
  readonly proxyVariable?: string
  readonly certificate?: {
    readonly subject: string
    readonly issuer: string
    readonly validFrom: string
    readonly validTo: string
  }
  /** The request was sent, but no complete response came, so its effect is unknown. */
  readonly sent?: true
  /** A few technical words, such as `ENOTFOUND` or `HTML answer`. */
  readonly cause?: string
  /** The time at which the request was sent, in ISO 8601 and UTC. */
  readonly at?: string
}

export interface Failure {
  readonly code: FailureCode
  readonly problem?: SignInProblem
  /** The server's own text, as plain text of at most 300 characters. */
  readonly serverText?: string
  /** Seconds to wait, from `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number
  readonly fields?: SettingProblems
  readonly details?: FailureDetails
}

/** True if the server itself has responded, so the network works. With `sent`, its response was incomplete. */
export const isAnswered = ({ details: { status, sent, cause = '' } = {} }: Failure): boolean =>
  (status !== undefined && sent !== true && !cause.startsWith('proxy')) || SENT_THROUGH_BROWSER.has(cause)

/** True if the server answers TLS with plain text. False behind a proxy, because that text may be the proxy's own. */
export const isUnencrypted = ({ details: { cause = '', proxy } = {} }: Failure): boolean =>
  proxy === undefined && /wrong.version.number/i.test(cause)

/** A failing provider sends these errors through the browser, without a status (RFC 6749 section 4.1.2.1). */
const SENT_THROUGH_BROWSER: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

export const CREDENTIALS_REFUSED = 'proxy credentials refused'

export const OTHER_ISSUER = 'session of another issuer'

export const OTHER_CLIENT = 'session of another client'

/** The proxy that the user must sign in to; `undefined` if there is none, or if it accepts no passwords. */
export function proxyToSignInTo({ code, details: { proxy, cause } = {} }: Failure): string | undefined {
  const asks = code === 'proxyAuthenticationRequired' && (cause === undefined || cause === CREDENTIALS_REFUSED)
  return asks ? proxy : undefined
}

export const isProxyRefusal = ({ details }: Failure): boolean => details?.cause === CREDENTIALS_REFUSED

export const NO_REVOCATION = 'no revocation endpoint'

/** The failure's cause if the issuer's metadata, which name the revocation endpoint, are missing. */
export const NO_METADATA = 'no provider metadata'

/** Expected failures are data; only bugs throw. */
export type Outcome<T = undefined> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export const OK: Outcome = { ok: true, value: undefined }

export const fail = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })
