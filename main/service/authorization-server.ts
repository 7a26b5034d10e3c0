import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import { type Failure, fail, NO_METADATA, NO_REVOCATION, OK, type Outcome } from '../../contract/failures.ts'
import type { Authorization, AuthorizationServer } from '../session/ports.ts'
import { type RefreshToken, Secret } from '../session/secret.ts'
import type { TokenPair } from '../session/token-pair.ts'
import { type Answer, parseAnswer, serverTimeOf } from './answer.ts'
import type { HttpClient } from './http-client.ts'
import { isLoopback } from './loopback.ts'
import { plainText } from './plain-text.ts'
import { codeOf, issued, providerFailure } from './provider-answer.ts'
import { REFRESH_TIMEOUT_MS } from './request.ts'

export interface AuthorizationServerOptions {
  /** Normalised: no trailing slash, no query. */
  readonly authAddress: string
  readonly clientId: string
  /** A public client has no secret. */
  readonly clientSecret?: Secret | undefined
  readonly scope: string
  readonly audience?: string | undefined
  readonly http: HttpClient
}

/** The minimum timeout for revoking the tokens of an answer that failed a check. */
const SHORTEST_TIMEOUT_MS = 1_000

type Operation = 'discovery' | 'browserSignIn' | 'refresh' | 'logout'

/** The protocol library's input for one exchange, and the provider's answer. */
interface Exchange {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly request: {
    readonly [oauth.customFetch]: (address: string, options: { readonly body: unknown }) => Promise<Response>
    readonly [oauth.allowInsecureRequests]: boolean
  }
  /** The provider's answer. */
  readonly answer: () => Answer
}

/** An error that carries a failure through the protocol library. */
class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

/**
 * SECURITY: only https addresses are opened in the browser or receive credentials. There is one exception: a provider
 * on this machine may use plain http addresses of this machine. A remote provider may not, because any program on this
 * machine could listen at such an address and receive the provider's tokens.
 */
const endpointOf = (authAddress: string) =>
  v.pipe(
    v.string(),
    v.maxLength(2048),
    v.check((text) => {
      if (!URL.canParse(text)) return false
      const { protocol, hostname, username, password, hash } = new URL(text)
      const isLocal = isPlainLoopback(new URL(authAddress)) && isPlainLoopback({ protocol, hostname })
      return (protocol === 'https:' || isLocal) && username === '' && password === '' && hash === ''
    }),
  )

const isPlainLoopback = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol === 'http:' && isLoopback(hostname)

/** OpenID Connect Discovery 1.0 section 3. */
function metadataOf(authAddress: string) {
  const endpoint = endpointOf(authAddress)
  return v.object({
    issuer: v.string(),
    authorization_endpoint: endpoint,
    token_endpoint: endpoint,
    revocation_endpoint: v.optional(endpoint),
    authorization_response_iss_parameter_supported: v.optional(v.boolean()),
    id_token_signing_alg_values_supported: v.optional(v.array(v.string())),
  })
}
type Metadata = v.InferOutput<ReturnType<typeof metadataOf>>

const withoutSlash = (address: string): string => address.replace(/\/$/, '')

/** The identity provider of a sign-in in the browser: authorization code with PKCE (RFC 6749, 7636, 9700). */
export function createAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const { authAddress, clientId, clientSecret, scope, audience, http } = options
  const isOpenId = scope.split(/\s+/).includes('openid')
  let known: Metadata | undefined

  const clientAuth = () => (clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret.reveal()))

  /** The endpoints, cached while Latchkey runs. */
  async function discover(operation: Operation): Promise<Outcome<Metadata>> {
    if (known !== undefined) return { ok: true, value: known }
    const url = new URL(`${authAddress}/.well-known/openid-configuration`)
    const result = await http.send({ operation: 'discovery', method: 'GET', url })
    if (!result.ok) return result
    if (result.value.status === 404) {
      // Without metadata, the usual addresses are used. A revocation has no usual address, so it fails as
      // `unreachable`. It is retried, because the metadata may be missing only temporarily.
      if (operation !== 'logout') return { ok: true, value: usualPlaces(authAddress) }
      return fail({ code: 'unreachable', details: { ...result.value.details, status: 404, cause: NO_METADATA } })
    }
    const failure = providerFailure(result.value, 'malformedResponse')
    if (failure !== undefined) return fail(failure)
    const parsed = parseAnswer(result.value, metadataOf(authAddress))
    if (!parsed.ok) return parsed
    // SECURITY: a provider's metadata must name the provider itself as issuer (OpenID Connect Discovery 1.0 section
    // 4.3).
    if (withoutSlash(parsed.value.issuer) !== authAddress) return fail(refused(result.value, 'issuer', operation))
    known = parsed.value
    return parsed
  }

  /** Runs one exchange of the protocol. The library performs it over our HTTP client. */
  async function exchange<T>(
    operation: Operation,
    run: (exchange: Exchange) => Promise<T>,
    timeoutMs = operation === 'refresh' ? REFRESH_TIMEOUT_MS : undefined,
  ): Promise<Outcome<T>> {
    const discovered = await discover(operation)
    if (!discovered.ok) return discovered
    const as = discovered.value as oauth.AuthorizationServer
    const client: oauth.Client = { client_id: clientId }
    let received: Answer | undefined
    const send = async (address: string, { body }: { readonly body: unknown }): Promise<Response> => {
      const result = await http.send({
        operation,
        method: 'POST',
        url: new URL(address),
        form: secretForm(body),
        ...(timeoutMs !== undefined && { timeoutMs }),
      })
      if (!result.ok) throw new Failed(result.failure)
      received = result.value
      const failure = providerFailure(received, operation === 'browserSignIn' ? 'rejected' : 'sessionEnded')
      if (failure?.code === 'rejected') throw new Failed({ ...failure, problem: 'browserRefused' })
      if (failure !== undefined) throw new Failed(failure)
      // A wrong clock on this desktop must not make the provider's tokens look expired or not yet valid.
      const serverTime = serverTimeOf(received)
      if (serverTime !== undefined) client[oauth.clockSkew] = Math.round((serverTime - Date.now()) / 1_000)
      return new Response(received.status === 204 ? null : Buffer.from(received.body), {
        status: received.status,
        headers: { 'content-type': 'application/json' },
      })
    }
    const isInsecure = new URL(as.token_endpoint ?? authAddress).protocol === 'http:'
    const request = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: isInsecure }
    const answer = (): Answer => {
      if (received === undefined) throw new Error('no answer')
      return received
    }
    try {
      return { ok: true, value: await run({ as, client, request, answer }) }
    } catch (error) {
      return fail(failureOf(error, received, operation))
    }
  }

  const sendRevocation = (refreshToken: RefreshToken, timeoutMs?: number): Promise<Outcome<void>> =>
    exchange(
      'logout',
      async ({ as, client, request }) => {
        const additionalParameters = { token_type_hint: 'refresh_token' }
        const options = { ...request, additionalParameters }
        await oauth.revocationRequest(as, client, clientAuth(), refreshToken.reveal(), options)
      },
      timeoutMs,
    )

  /**
   * Checks an answer with the library and returns its tokens. If the check fails, no session keeps the answer's refresh
   * token, so it is revoked. That works only if the provider has a revocation endpoint and answers in the time that is
   * left.
   * @param sent the session's own refresh token, which is never revoked here.
   */
  async function checked(
    { askedAt }: Answer,
    pair: TokenPair,
    check: () => Promise<oauth.TokenEndpointResponse>,
    sent?: RefreshToken,
  ): Promise<Outcome<TokenPair>> {
    try {
      return withIdentityOf(await check(), pair)
    } catch (error) {
      const { refreshToken } = pair
      const isKept = refreshToken === undefined || sent?.equals(refreshToken)
      if (!isKept && known?.revocation_endpoint !== undefined) {
        const elapsed = Math.max(0, Date.now() - askedAt)
        await sendRevocation(refreshToken, Math.max(SHORTEST_TIMEOUT_MS, REFRESH_TIMEOUT_MS - elapsed))
      }
      throw error
    }
  }

  const flat = (outcome: Outcome<Outcome<TokenPair>>): Outcome<TokenPair> => (outcome.ok ? outcome.value : outcome)

  return {
    issuer: authAddress,
    client: clientId,

    async authorize(redirectUri): Promise<Outcome<Authorization>> {
      const discovered = await discover('browserSignIn')
      if (!discovered.ok) return discovered
      const state = oauth.generateRandomState()
      const nonce = oauth.generateRandomNonce()
      const verifier = new Secret('PKCE verifier', oauth.generateRandomCodeVerifier())
      const address = new URL(discovered.value.authorization_endpoint)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier.reveal()),
        code_challenge_method: 'S256',
        ...(isOpenId && { nonce }),
        ...(audience !== undefined && { audience }),
      }
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return {
        ok: true,
        value: {
          address,
          isOurs: (callback) => callback.get('state') === state,
          redeem: async (callback) =>
            flat(
              await exchange('browserSignIn', async ({ as, client, request, answer }) => {
                // SECURITY: checks `state` and `iss` (RFC 9207).
                const parameters = oauth.validateAuthResponse(as, client, callback, state)
                const response = await oauth.authorizationCodeGrantRequest(
                  as,
                  client,
                  clientAuth(),
                  parameters,
                  redirectUri,
                  // SECURITY: PKCE proves that this sign-in requested the code.
                  verifier.reveal(),
                  request,
                )
                const pair = issued(answer())
                if (!pair.ok) return pair
                // SECURITY: checks the ID token's issuer, audience and times, and `nonce`.
                const expectedNonce = isOpenId ? nonce : oauth.expectNoNonce
                return checked(answer(), pair.value, () =>
                  oauth.processAuthorizationCodeResponse(as, client, response, { expectedNonce }),
                )
              }),
            ),
        },
      }
    },

    async refresh(refreshToken) {
      return flat(
        await exchange('refresh', async ({ as, client, request, answer }) => {
          const sent = refreshToken.reveal()
          const response = await oauth.refreshTokenGrantRequest(as, client, clientAuth(), sent, request)
          const pair = issued(answer(), refreshToken)
          if (!pair.ok) return pair
          // SECURITY: validates the ID token. Its subject shows whether the session's user has changed, even if the
          // access token contains no subject.
          const check = () => oauth.processRefreshTokenResponse(as, client, response)
          return checked(answer(), pair.value, check, refreshToken)
        }),
      )
    },

    async revoke(refreshToken) {
      const discovered = await discover('logout')
      if (!discovered.ok) return discovered
      if (discovered.value.revocation_endpoint === undefined) {
        return fail({ code: 'sessionEnded', details: { operation: 'logout', cause: NO_REVOCATION } })
      }
      const revoked = await sendRevocation(refreshToken)
      return revoked.ok ? OK : revoked
    },
  }
}

/** The tokens, with the claims of the ID token, if there is one. */
function withIdentityOf(tokens: oauth.TokenEndpointResponse, pair: TokenPair): Outcome<TokenPair> {
  const identity = oauth.getValidatedIdTokenClaims(tokens)
  return { ok: true, value: identity ? { ...pair, identity } : pair }
}

/** The endpoints of a provider without discovery (RFC 6749 names none; these are the usual ones). */
const usualPlaces = (authAddress: string): Metadata => ({
  issuer: authAddress,
  authorization_endpoint: `${authAddress}/authorize`,
  token_endpoint: `${authAddress}/oauth/token`,
})

/** SECURITY: everything sent (code, verifier, token, client secret) stays a Secret until the request is written. */
const secretForm = (body: unknown): Readonly<Record<string, Secret>> =>
  body instanceof URLSearchParams
    ? Object.fromEntries([...body].map(([name, value]) => [name, new Secret(name, value)]))
    : {}

/** The failure for an answer that did not pass a check by the library, or that names another issuer. */
const refused = (answer: Answer | undefined, cause: string, operation: Operation): Failure => ({
  code: 'malformedResponse',
  ...(operation === 'browserSignIn' && { problem: 'answerRefused' }),
  details: { ...(answer?.details ?? { operation }), cause },
})

function failureOf(error: unknown, answer: Answer | undefined, operation: Operation): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof oauth.AuthorizationResponseError) {
    const { error: word, error_description: text } = error
    const serverText = plainText(text ?? '', [])
    return {
      code: codeOf(word) ?? 'interactionRequired',
      ...(word === 'access_denied' && { problem: 'consentDenied' }),
      ...(serverText !== '' && { serverText }),
      details: { operation: 'browserSignIn', cause: plainText(word, []) },
    }
  }
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string') throw error
  return refused(answer, code, operation)
}
