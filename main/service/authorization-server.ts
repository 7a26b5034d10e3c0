import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import { fail, NO_METADATA, NO_REVOCATION, OK, type Outcome } from '../../contract/failures.ts'
import { type RefreshToken, Secret } from '../base/secret.ts'
import type { AuthorizationRequest, AuthorizationServer, SignInCheck, TokenPair } from '../session/ports.ts'
import { checkSignIn } from './provider-check.ts'
import { type OAuthExchange, ProviderExchange, type ProviderOptions, SHORTEST_TIMEOUT_MS } from './provider-exchange.ts'
import type { Metadata } from './provider-metadata.ts'
import { idTokenOf, isSameIssuer, issuedTokens, providerFailure, readIdToken } from './provider-response.ts'
import { REFRESH_TIMEOUT_MS } from './request.ts'
import { type HttpResponse, isSuccess, jsonObjectOf, parseResponse } from './response.ts'

export interface AuthorizationServerOptions extends ProviderOptions {
  readonly scope: string
  readonly audience?: string | undefined
  readonly resource?: string | undefined
  readonly prompt?: string | undefined
}

/** This timeout is short, because the sign-in can succeed without the user's name. */
const USER_INFO_TIMEOUT_MS = 5_000

interface Begun {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: Secret<'PKCE verifier'>
  readonly metadata: Metadata
}

/** Signs in through the browser: authorization code with PKCE (RFC 6749, 7636, 9700). */
export class BrowserAuthorizationServer implements AuthorizationServer {
  readonly issuer: string
  readonly client: string
  readonly #options: AuthorizationServerOptions
  readonly #provider: ProviderExchange
  readonly #isOpenId: boolean

  constructor(options: AuthorizationServerOptions) {
    this.issuer = options.authAddress
    this.client = options.clientId
    this.#options = options
    this.#provider = new ProviderExchange(options)
    this.#isOpenId = options.scope.split(/\s+/).includes('openid')
  }

  async authorize(redirectUri: string, asksConsent = false): Promise<Outcome<AuthorizationRequest>> {
    const { scope, audience, prompt } = this.#options
    const discovered = await this.#provider.discover('browserSignIn')
    if (!discovered.ok) return discovered
    const metadata = discovered.value
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const verifier = new Secret('PKCE verifier', oauth.generateRandomCodeVerifier())
    const parameters = {
      response_type: 'code',
      client_id: this.client,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier.reveal()),
      code_challenge_method: 'S256',
      ...(this.#isOpenId && { nonce }),
      ...(audience !== undefined && { audience }),
      ...this.#resourceOf(metadata),
      ...(prompt !== undefined ? { prompt } : asksConsent && { prompt: 'consent' }),
    }
    const found = await this.#authorizationAddress(metadata, parameters)
    if (!found.ok) return found
    const { host } = new URL(this.issuer)
    const begun = { redirectUri, state, nonce, verifier, metadata }
    const value: AuthorizationRequest = {
      address: found.value,
      ...(metadata.isGuessed && { details: { operation: 'browserSignIn', host, cause: NO_METADATA } }),
      isOurs: (callback) => callback.get('state') === state,
      redeem: (callback) => this.#redeem(begun, callback),
    }
    return { ok: true, value }
  }

  /** Checks the part of a sign-in that needs no user. */
  async check(redirectUri: string): Promise<Outcome<SignInCheck>> {
    const begun = await this.authorize(redirectUri)
    if (!begun.ok) return begun
    const { http, clientSecret } = this.#options
    return checkSignIn(begun.value, redirectUri, {
      http,
      provider: this.#provider,
      isSecret: clientSecret !== undefined,
    })
  }

  async refresh(refreshToken: RefreshToken): Promise<Outcome<TokenPair>> {
    return flat(
      await this.#provider.run('refresh', async (exchange) => {
        const { as, client, request, lastResponse, metadata } = exchange
        const sent = refreshToken.reveal()
        const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), sent, {
          ...request,
          additionalParameters: this.#resourceOf(metadata),
        })
        const pair = issuedTokens(lastResponse(), refreshToken)
        if (!pair.ok) return pair
        // SECURITY: validates the ID token, whose subject shows whether the token belongs to another user.
        const check = () => oauth.processRefreshTokenResponse(as, client, response)
        return this.#checked(exchange, pair.value, check, refreshToken)
      }),
    )
  }

  async revoke(refreshToken: RefreshToken): Promise<Outcome> {
    const discovered = await this.#provider.discover('logout')
    if (!discovered.ok) return discovered
    if (discovered.value.revocation_endpoint === undefined) {
      return fail({ code: 'sessionEnded', details: { operation: 'logout', cause: NO_REVOCATION } })
    }
    const revoked = await this.#sendRevocation(refreshToken)
    return revoked.ok ? OK : revoked
  }

  async #redeem({ redirectUri, state, nonce, verifier, metadata }: Begun, callback: URLSearchParams) {
    return flat(
      await this.#provider.run('browserSignIn', async (exchange) => {
        const { as, client, request, lastResponse } = exchange
        // SECURITY: checks `state` and `iss` (RFC 9207).
        const parameters = oauth.validateAuthResponse(as, client, withIssuer(callback, metadata.issuer), state)
        const response = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          oauth.None(),
          parameters,
          redirectUri,
          // SECURITY: PKCE proves that this sign-in requested the code.
          verifier.reveal(),
          { ...request, additionalParameters: this.#resourceOf(exchange.metadata) },
        )
        const pair = issuedTokens(lastResponse())
        if (!pair.ok) return pair
        // SECURITY: checks the ID token's issuer, audience and times, and `nonce`.
        const expectedNonce =
          this.#isOpenId && hasNonce(lastResponse(), exchange.metadata) ? nonce : oauth.expectNoNonce
        const tokens = await this.#checked(exchange, pair.value, () =>
          oauth.processAuthorizationCodeResponse(as, client, response, { expectedNonce }),
        )
        return tokens.ok ? { ok: true, value: await this.#named(exchange.metadata, tokens.value) } : tokens
      }),
    )
  }

  #resourceOf(metadata: Metadata): { readonly resource?: string } {
    const { audience, resource: set } = this.#options
    const isAsked = metadata.resource_indicators_supported === true && URL.canParse(audience ?? '')
    const resource = set ?? (isAsked ? audience : undefined)
    return resource === undefined ? {} : { resource }
  }

  /** The address of the page to open. Some providers want the parameters to be sent to them first (RFC 9126). */
  async #authorizationAddress(metadata: Metadata, parameters: Readonly<Record<string, string>>): Promise<Outcome<URL>> {
    const address = new URL(metadata.authorization_endpoint)
    const { pushed_authorization_request_endpoint: endpoint, require_pushed_authorization_requests: isPushed } =
      metadata
    if (isPushed !== true || endpoint === undefined) {
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return { ok: true, value: address }
    }
    const { client_id: _, ...pushed } = parameters
    const sent = await this.#provider.post('browserSignIn', metadata, new URL(endpoint), pushed)
    if (!sent.ok) return sent
    const failure = providerFailure(sent.value, 'notConfigured')
    if (failure !== undefined) return fail(failure)
    const parsed = parseResponse(
      sent.value,
      v.object({ request_uri: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2048)) }),
    )
    if (!parsed.ok) return parsed
    address.searchParams.set('client_id', this.client)
    address.searchParams.set('request_uri', parsed.value.request_uri)
    return { ok: true, value: address }
  }

  /**
   * Returns the tokens if the library accepts them. Otherwise nobody will keep the new refresh token, so it is revoked.
   * @param sent the session's own refresh token, which is never revoked here
   */
  async #checked(
    { lastResponse, metadata }: Pick<OAuthExchange, 'lastResponse' | 'metadata'>,
    pair: TokenPair,
    check: () => Promise<oauth.TokenEndpointResponse>,
    sent?: RefreshToken,
  ): Promise<Outcome<TokenPair>> {
    try {
      return withIdentityOf(await check(), pair)
    } catch (error) {
      const { refreshToken } = pair
      const isKept = refreshToken === undefined || sent?.equals(refreshToken)
      if (!isKept && metadata.revocation_endpoint !== undefined) {
        const elapsed = Math.max(0, Date.now() - lastResponse().askedAt)
        await this.#sendRevocation(refreshToken, Math.max(SHORTEST_TIMEOUT_MS, REFRESH_TIMEOUT_MS - elapsed))
      }
      throw error
    }
  }

  #sendRevocation(refreshToken: RefreshToken, timeoutMs?: number): Promise<Outcome<void>> {
    return this.#provider.run(
      'logout',
      async ({ as, client, request }) => {
        const additionalParameters = { token_type_hint: 'refresh_token' }
        const options = { ...request, additionalParameters }
        await oauth.revocationRequest(as, client, oauth.None(), refreshToken.reveal(), options)
      },
      timeoutMs,
    )
  }

  /** Adds the user's name if only the UserInfo endpoint has it (OpenID Connect Core section 5.4). */
  async #named({ userinfo_endpoint: endpoint }: Metadata, tokens: TokenPair): Promise<TokenPair> {
    const { identity, accessToken } = tokens
    if (identity === undefined || endpoint === undefined || hasName(identity)) return tokens
    const authorization = { kind: 'bearer', token: accessToken } as const
    const request = { operation: 'browserSignIn', method: 'GET', url: new URL(endpoint), authorization } as const
    const sent = await this.#options.http.send({ ...request, timeoutMs: USER_INFO_TIMEOUT_MS })
    const claims = sent.ok && isSuccess(sent.value) ? jsonObjectOf(sent.value) : undefined
    // SECURITY: the claims must be about the same user (OpenID Connect Core section 5.3.2).
    if (claims === undefined || claims['sub'] !== identity['sub']) return tokens
    return { ...tokens, identity: { ...claims, ...withoutBlanks(identity) } }
  }
}

const flat = (outcome: Outcome<Outcome<TokenPair>>): Outcome<TokenPair> => (outcome.ok ? outcome.value : outcome)

const hasName = (identity: Readonly<Record<string, unknown>>): boolean =>
  [identity['name'], identity['preferred_username']].some((name) => typeof name === 'string' && name.trim() !== '')

/** Leaves out empty claims, so that they don't replace claims from the UserInfo endpoint. */
const withoutBlanks = (claims: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(claims).filter(([, claim]) => `${claim ?? ''}`.trim() !== ''))

function withIdentityOf(tokens: oauth.TokenEndpointResponse, pair: TokenPair): Outcome<TokenPair> {
  const identity = oauth.getValidatedIdTokenClaims(tokens)
  return { ok: true, value: identity ? { ...pair, identity } : pair }
}

/**
 * Whether the ID token must have the nonce. Some providers send no ID token, or one without a nonce. SECURITY: PKCE,
 * like the nonce, ties the tokens to this sign-in (RFC 9700 section 2.1.1), so only an OpenID provider that doesn't
 * announce PKCE must send the nonce.
 */
function hasNonce(lastResponse: HttpResponse, metadata: Metadata): boolean {
  const { issuer, id_token_signing_alg_values_supported: algorithms, code_challenge_methods_supported: pkce } = metadata
  const isPkce = pkce?.includes('S256') === true
  const idToken = idTokenOf(lastResponse)
  if (idToken === undefined) return algorithms !== undefined && !isPkce
  return !isPkce || readIdToken(idToken, issuer, '').hasNonce
}

/** The callback with `iss` spelled as in the metadata, because better-auth leaves out the slash at the end. */
function withIssuer(callback: URLSearchParams, issuer: string): URLSearchParams {
  const [given, ...more] = callback.getAll('iss')
  if (given === undefined || more.length > 0 || !isSameIssuer(given, issuer)) return callback
  const written = new URLSearchParams(callback)
  written.set('iss', issuer)
  return written
}
