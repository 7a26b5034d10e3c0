import { type RefreshToken, Secret } from '../base/secret.ts'
import type { IdentityProvider, LoginOutcome } from '../session/ports.ts'
import { type Answer, jsonObjectOf } from './answer.ts'
import type { HttpClient } from './http-client.ts'
import { errorOf, issued, providerFailure } from './provider-answer.ts'
import { type HttpRequest, REFRESH_TIMEOUT_MS } from './request.ts'
import { isHeaderToken } from './schemas.ts'

export interface IdentityProviderOptions {
  /** Normalised: no trailing slash, no query. */
  readonly authAddress: string
  /** `DOMAIN` in the grant type's name, `http://DOMAIN/oauth/grant-type/password-realm`. */
  readonly providerDomain: string
  readonly realm: string
  readonly scope: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: Secret
  readonly http: HttpClient
}

/**
 * Single sign-on with the password-realm grant, which is legacy (RFC 9700 section 2.4). It can neither revoke its
 * tokens nor change the password, which the provider manages.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { http } = options
  const client = { client_id: options.clientId, client_secret: options.clientSecret }

  async function ask(operation: 'login' | 'refresh', json: NonNullable<HttpRequest['json']>, sent?: RefreshToken) {
    const url = new URL(`${options.authAddress}/oauth/token`)
    const timeout = operation === 'refresh' ? { timeoutMs: REFRESH_TIMEOUT_MS } : {}
    const result = await http.send({ operation, method: 'POST', url, json, ...timeout })
    if (!result.ok) return result
    const failure = providerFailure(result.value, operation === 'login' ? 'rejected' : 'sessionEnded')
    if (failure === undefined) return issued(result.value, sent)
    const mfaToken = mfaTokenOf(result.value)
    return { ok: false as const, failure, ...(mfaToken && { mfaToken }) }
  }

  return {
    issuer: options.authAddress,

    login({ username, password }): Promise<LoginOutcome> {
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

/** The token for requests about the second factor, if the provider's answer contains one. */
function mfaTokenOf(answer: Answer): Secret<'MFA token'> | undefined {
  const token = errorOf(answer) === 'mfa_required' ? jsonObjectOf(answer)?.['mfa_token'] : undefined
  return typeof token === 'string' && isHeaderToken(token) ? new Secret('MFA token', token) : undefined
}
