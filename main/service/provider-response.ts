import * as v from 'valibot'
import type { Failure, FailureCode, Outcome } from '../../contract/failures.ts'
import type { RefreshToken } from '../base/secret.ts'
import { urlOf } from '../base/url.ts'
import type { TokenPair } from '../session/ports.ts'
import { plainText } from './plain-text.ts'
import {
  commonFailure,
  failureOf,
  type HttpResponse,
  isSuccess,
  jsonObjectOf,
  parseResponse,
  reportsError,
  serverTimeOf,
  temporaryCode,
} from './response.ts'
import { providerTokens } from './schemas.ts'

/**
 * What each value of `error` means. The values come from RFC 6749 section 5.2, from OpenID Connect Core section 3.1.2.6
 * and from providers. `notConfigured` means that a setting is wrong.
 */
const ERRORS: { readonly [error: string]: FailureCode } = {
  mfa_required: 'interactionRequired',
  mfa_enrollment_required: 'interactionRequired',
  interaction_required: 'interactionRequired',
  login_required: 'interactionRequired',
  consent_required: 'interactionRequired',
  account_selection_required: 'interactionRequired',
  unmet_authentication_requirements: 'interactionRequired',
  requires_verification: 'interactionRequired',
  password_expired: 'interactionRequired',
  password_leaked: 'interactionRequired',
  password_change_required: 'interactionRequired',
  access_denied: 'interactionRequired',
  // Okta's code for a locked account.
  E0000069: 'interactionRequired',
  unauthorized: 'interactionRequired',
  too_many_attempts: 'rateLimited',
  too_many_requests: 'rateLimited',
  slow_down: 'rateLimited',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
  invalid_client: 'notConfigured',
  unauthorized_client: 'notConfigured',
  unsupported_grant_type: 'notConfigured',
  unsupported_response_type: 'notConfigured',
  invalid_request: 'notConfigured',
  invalid_scope: 'notConfigured',
  invalid_target: 'notConfigured',
  // These errors come from ts-oauth2-server, OpenAuth and GitHub.
  unauthorized_scope: 'notConfigured',
  invalid_redirect_uri: 'notConfigured',
  incorrect_client_credentials: 'notConfigured',
  redirect_uri_mismatch: 'notConfigured',
}

/** The errors for a refused code, password or refresh token. The last three are GitHub's and Spring's. */
const REFUSED_GRANTS: ReadonlySet<string | undefined> = new Set([
  'invalid_grant',
  'bad_verification_code',
  'bad_refresh_token',
  'invalid_token',
])

export const failureCodeOf = (error: string): FailureCode | undefined =>
  Object.hasOwn(ERRORS, error) ? ERRORS[error] : undefined

/** The field `error` (RFC 6749 section 5.2), or the field that other endpoints of Okta and Apigee use instead. */
export function providerErrorOf(response: HttpResponse): string | undefined {
  const { error, errorCode, ErrorCode } = jsonObjectOf(response) ?? {}
  return [error, errorCode, ErrorCode].find((name) => typeof name === 'string' && name !== '') as string | undefined
}

/** The error in RFC 6749's terms: Auth0 and Atlassian send `access_denied` with 401 for a wrong client or secret. */
export function standardErrorOf(response: HttpResponse): string | undefined {
  const error = providerErrorOf(response)
  return error === 'access_denied' && response.status === 401 ? 'invalid_client' : error
}

/** @param invalidGrant what `invalid_grant` means for this request */
export function providerFailure(response: HttpResponse, invalidGrant: FailureCode): Failure | undefined {
  const { status } = response
  const error = providerErrorOf(response)
  // Providers send `invalid_grant` even with 200 or 500. With 408 or 429, they only ask to wait.
  const isGrant = REFUSED_GRANTS.has(error) && status !== 408 && status !== 429
  const known = isGrant ? invalidGrant : failureCodeOf(standardErrorOf(response) ?? '')
  const code = known ?? temporaryCode(response)
  // A known error tells more than the status: some providers send `mfa_required` with 429. But a 407 comes from a
  // proxy, and a server that fails (5xx) can't know whether the user has to act.
  const isTold = known !== undefined && status !== 407 && !(known === 'interactionRequired' && status >= 500)
  const isRefusal = isTold && (!isSuccess(response) || reportsError(response))
  const common = isRefusal ? undefined : commonFailure(response)
  if (common !== undefined || (isSuccess(response) && !reportsError(response))) return common
  // An unknown error with a success status is treated as a refusal.
  const unknown = isSuccess(response) ? invalidGrant : 'malformedResponse'
  if (error === undefined) return failureOf(response, code ?? unknown, response.defect ?? `HTTP ${status}`)
  return failureOf(response, code ?? unknown, plainText(error, response.secrets()))
}

export const idTokenOf = (response: HttpResponse): string | undefined => {
  const token = jsonObjectOf(response)?.['id_token']
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** @param sent the refresh token in the request, which stays valid if there is no new one (RFC 6749 section 6) */
export function issuedTokens(response: HttpResponse, sent?: RefreshToken): Outcome<TokenPair> {
  const parsed = parseResponse(response, providerTokens)
  if (!parsed.ok) return parsed
  const { access_token: accessToken, expires_in: expiresIn, refresh_token } = parsed.value
  const refreshToken = refresh_token ?? sent
  const { refresh_expires_in, refresh_token_expires_in } = parsed.value
  // A refresh token with a lifetime of 0 has no time limit.
  const noLimit = refresh_expires_in === 0 && refresh_token !== undefined ? 0 : undefined
  const refreshExpiresIn = refresh_expires_in || refresh_token_expires_in || noLimit
  const serverTime = serverTimeOf(response)
  return {
    ok: true,
    value: {
      accessToken,
      ...(refreshToken && { refreshToken }),
      ...(serverTime !== undefined && { serverTime }),
      ...(expiresIn !== undefined && { expiresIn }),
      ...(refreshExpiresIn !== undefined && { refreshExpiresIn }),
    },
  }
}

/** Google writes its address with and without `https://`. */
function normalised(issuer: string): string {
  const address = /^https?:/i.test(issuer) ? issuer : `https://${issuer}`
  return urlOf(address)?.href.replace(/\/$/, '') ?? issuer
}

/** Providers write their address with `:443`, capitals, or a slash at the end. */
export const isSameIssuer = (one: string, other: string): boolean => normalised(one) === normalised(other)

const tokenPart = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.string(),
    v.transform((text) => Buffer.from(text, 'base64url').toString('utf8')),
    v.parseJson(),
    schema,
  )

/** The library would refuse a claim that is null or empty. */
const unlessEmpty = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => (value === null || value === '' ? undefined : value)),
  ),
)
const claimTime = v.fallback(v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))), undefined)

const payloadPart = tokenPart(
  v.looseObject({ azp: unlessEmpty, nonce: unlessEmpty, auth_time: claimTime, nbf: claimTime }),
)
const headerPart = tokenPart(v.record(v.string(), v.unknown()))

interface IdToken {
  readonly text: string
  readonly alg?: string
  readonly hasNonce: boolean
}

/**
 * Mends harmless faults for which the protocol library would refuse an ID token. Some providers spell their address in
 * another way: Google without `https://`, OpenLiberty with `:443`. Oracle names an API as a second audience, without
 * `azp`.
 */
export function readIdToken(text: string, issuer: string, clientId: string): IdToken {
  const [header, payload, ...signature] = text.split('.')
  const claims = v.safeParse(payloadPart, payload)
  const head = v.safeParse(headerPart, header)
  if (!claims.success || !head.success) return { text, hasNonce: true }
  const { iss, aud, azp, nonce } = claims.output
  const isIssuer = typeof iss === 'string' && isSameIssuer(iss, issuer)
  // SECURITY: the token must be for this client, and must not name another client as its `azp`.
  const isForUs = Array.isArray(aud) && aud.includes(clientId) && azp === undefined
  const read = { ...claims.output, ...(isIssuer && { iss: issuer }), ...(isForUs && { azp: clientId }) }
  const { alg } = head.output
  return {
    text: [header, Buffer.from(JSON.stringify(read)).toString('base64url'), ...signature].join('.'),
    ...(typeof alg === 'string' && { alg }),
    hasNonce: nonce !== undefined,
  }
}
