import type { Failure, FailureCode, Outcome } from '../../contract/failures.ts'
import type { IdentityProvider } from '../session/ports.ts'
import type { RefreshToken, Secret } from '../session/secret.ts'
import type { TokenPair } from '../session/token-pair.ts'
import { type Answer, commonFailure, failureOf, isSuccess, jsonObjectOf, parseAnswer, serverTimeOf } from './answer.ts'
import type { HttpClient } from './http-client.ts'
import { plainText } from './plain-text.ts'
import { type HttpRequest, REFRESH_PATIENCE } from './request.ts'
import { providerTokens } from './schemas.ts'

export interface IdentityProviderOptions {
  /** Normalised: no trailing slash, no query. */
  readonly authAddress: string
  /** Names the grant type: `http://DOMAIN/oauth/grant-type/password-realm`. */
  readonly providerDomain: string
  readonly realm: string
  readonly scope: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: Secret
  readonly http: HttpClient
}

type Operation = 'login' | 'refresh'

/**
 * What the `error` field means (RFC 6749 section 5.2, OpenID Connect Core section 3.1.2.6, and what providers
 * of the password-realm grant add). `notConfigured`: client, secret, realm, scope or audience are not what the
 * provider knows, which only the connection's settings can mend.
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
  unauthorized: 'interactionRequired',
  too_many_attempts: 'rateLimited',
  too_many_requests: 'rateLimited',
  slow_down: 'rateLimited',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
  invalid_client: 'notConfigured',
  unauthorized_client: 'notConfigured',
  unsupported_grant_type: 'notConfigured',
  invalid_request: 'notConfigured',
  invalid_scope: 'notConfigured',
  invalid_target: 'notConfigured',
}

/** A 4xx of the provider itself; 407 is a proxy's. */
const isClientError = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 407

function failureFrom(operation: Operation, answer: Answer): Failure | undefined {
  const error = jsonObjectOf(answer)?.['error']
  // Its own word counts for more than the status: providers send `mfa_required` with 429 as well. A refusal is
  // not believed of an answer that says it is about time, though.
  const isTold = typeof error === 'string' && Object.hasOwn(ERRORS, error)
  const common = isTold && isClientError(answer) ? undefined : commonFailure(answer)
  if (common !== undefined || isSuccess(answer)) return common
  if (typeof error !== 'string') {
    return failureOf(answer, 'malformedResponse', answer.defect ?? `HTTP ${answer.status}`)
  }
  const cause = plainText(error, answer.secrets())
  if (error === 'invalid_grant') return failureOf(answer, operation === 'login' ? 'rejected' : 'sessionEnded', cause)
  const code = Object.hasOwn(ERRORS, error) ? ERRORS[error] : undefined
  return failureOf(answer, code ?? 'malformedResponse', cause)
}

/** @param sent the refresh token that was sent; it stays in force where no new one comes (RFC 6749 section 6) */
function issued(answer: Answer, sent?: RefreshToken): Outcome<TokenPair> {
  const parsed = parseAnswer(answer, providerTokens)
  if (!parsed.ok) return parsed
  const { access_token: accessToken, expires_in: expiresIn, refresh_token } = parsed.value
  const refreshToken = refresh_token ?? sent
  const serverTime = serverTimeOf(answer)
  return {
    ok: true,
    value: {
      accessToken,
      ...(refreshToken && { refreshToken }),
      ...(serverTime !== undefined && { serverTime }),
      ...(typeof expiresIn === 'number' && { expiresIn }),
    },
  }
}

/**
 * Single sign-on with the password-realm grant, endpoint 5. The grant is legacy (RFC 9700 section 2.4). Nothing revokes
 * a token here, and the password belongs to the provider.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { http } = options
  const client = { client_id: options.clientId, client_secret: options.clientSecret }

  async function ask(operation: Operation, json: NonNullable<HttpRequest['json']>, sent?: RefreshToken) {
    const url = new URL(`${options.authAddress}/oauth/token`)
    const patience = operation === 'refresh' ? { patience: REFRESH_PATIENCE } : {}
    const result = await http.send({ operation, method: 'POST', url, json, ...patience })
    if (!result.ok) return result
    const failure = failureFrom(operation, result.value)
    return failure === undefined ? issued(result.value, sent) : { ok: false as const, failure }
  }

  return {
    issuer: options.authAddress,

    login({ username, password }) {
      return ask('login', {
        username,
        password,
        grant_type: `http://${options.providerDomain}/oauth/grant-type/password-realm`,
        realm: options.realm,
        scope: options.scope,
        audience: options.audience,
        ...client,
      })
    },

    refresh(refreshToken) {
      return ask('refresh', { grant_type: 'refresh_token', ...client, refresh_token: refreshToken }, refreshToken)
    },
  }
}
