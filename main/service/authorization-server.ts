import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import { type Failure, fail, NO_METADATA, NO_REVOCATION, OK, type Outcome } from '../../contract/failures.ts'
import { type RefreshToken, Secret } from '../base/secret.ts'
import type { Authorization, AuthorizationServer, SignInCheck, TokenPair } from '../session/ports.ts'
import {
  type Answer,
  commonFailure,
  isSuccess,
  jsonObjectOf,
  parseAnswer,
  serverTimeOf,
  withoutForm,
} from './answer.ts'
import { ClientAuthentication, methodsFor } from './client-authentication.ts'
import type { HttpClient } from './http-client.ts'
import { readIdToken } from './id-token.ts'
import { plainText } from './plain-text.ts'
import { codeOf, idTokenOf, issued, meaningOf, providerFailure } from './provider-answer.ts'
import { type Discover, discovery, isSameIssuer, type Metadata } from './provider-metadata.ts'
import { type HttpRequest, REFRESH_TIMEOUT_MS } from './request.ts'

export interface AuthorizationServerOptions {
  /** Normalised: no trailing slash, no query. */
  readonly authAddress: string
  readonly clientId: string
  /** A public client has no secret. */
  readonly clientSecret?: Secret | undefined
  readonly scope: string
  readonly audience?: string | undefined
  /** The parameter `resource` of every request (RFC 8707). */
  readonly resource?: string | undefined
  /** The parameter `prompt` of every request (OpenID Connect Core section 3.1.2.1). */
  readonly prompt?: string | undefined
  readonly http: HttpClient
}

/** The minimum timeout for revoking the tokens of an answer that failed a check. */
const SHORTEST_TIMEOUT_MS = 1_000
/** The name is worth only a short wait. */
const USER_INFO_TIMEOUT_MS = 5_000

type Operation = Parameters<Discover>[0]

/** The protocol library's input for one exchange, and the provider's answer. */
interface Exchange {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly metadata: Metadata
  readonly request: {
    readonly [oauth.customFetch]: (address: string, options: { readonly body: unknown }) => Promise<Response>
    readonly [oauth.allowInsecureRequests]: boolean
  }
  /** The provider's answer. */
  readonly answer: () => Answer
}

/** The errors that only say that a person is needed (OpenID Connect Core section 3.1.2.6). */
const NEEDS_PERSON: ReadonlySet<string> = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])

/** LemonLDAP::NG asks for the password with 401, before it looks at anything else. */
const ERROR_PAGES: ReadonlySet<number> = new Set([400, 403, 404])

/** The errors about the client itself (RFC 6749 section 5.2). */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

/** An error that carries a failure through the protocol library. */
class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

/** The identity provider of a sign-in in the browser: authorization code with PKCE (RFC 6749, 7636, 9700). */
export function createAuthorizationServer(
  options: AuthorizationServerOptions,
): AuthorizationServer & { check(redirectUri: string): Promise<Outcome<SignInCheck>> } {
  const { authAddress, clientId, clientSecret, scope, audience, prompt, http } = options
  const isOpenId = scope.split(/\s+/).includes('openid')
  const { host } = new URL(authAddress)
  /** The resource that the tokens are for, if the settings or the provider's metadata ask for it. */
  const resourceOf = (metadata: Metadata): { readonly resource?: string } => {
    const isAsked = metadata.resource_indicators_supported === true && URL.canParse(audience ?? '')
    const resource = options.resource ?? (isAsked ? audience : undefined)
    return resource === undefined ? {} : { resource }
  }
  const discover = discovery(authAddress, http)
  const authentication = new ClientAuthentication(clientId, clientSecret)

  /** Sends a form with the client's authentication. All attempts together end by the timeout. */
  async function post(
    operation: Operation,
    metadata: Metadata,
    url: URL,
    form: Form,
    timeoutMs = operation === 'refresh' ? REFRESH_TIMEOUT_MS : undefined,
  ): Promise<Outcome<Answer>> {
    const startedAt = Date.now()
    return authentication.authenticate(form, methodsFor(metadata, url), async (authenticated) => {
      const elapsed = Math.max(0, Date.now() - startedAt)
      const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(SHORTEST_TIMEOUT_MS, timeoutMs - elapsed) }
      const sent = await http.send({ operation, method: 'POST', url, ...authenticated, ...left })
      return sent.ok ? { ok: true, value: withoutForm(sent.value) } : sent
    })
  }

  /** Runs one exchange of the protocol. The library performs it over our HTTP client. */
  async function exchange<T>(
    operation: Operation,
    run: (exchange: Exchange) => Promise<T>,
    timeoutMs?: number,
  ): Promise<Outcome<T>> {
    const discovered = await discover(operation)
    if (!discovered.ok) return discovered
    const metadata = discovered.value
    const as = metadata as oauth.AuthorizationServer
    const client: oauth.Client = { client_id: clientId }
    let received: Answer | undefined
    const send = async (address: string, { body }: { readonly body: unknown }): Promise<Response> => {
      const result = await post(operation, metadata, new URL(address), formOf(body), timeoutMs)
      if (!result.ok) throw new Failed(result.failure)
      received = result.value
      const failure = failureIn(operation, received)
      if (failure?.code === 'rejected') throw new Failed({ ...failure, problem: 'browserRefused' })
      const isDenied = failure?.code === 'interactionRequired' && operation === 'browserSignIn'
      if (failure !== undefined) throw new Failed({ ...failure, ...(isDenied && { problem: 'consentDenied' }) })
      // A wrong clock on this desktop must not make the provider's tokens look expired or not yet valid.
      const serverTime = serverTimeOf(received)
      if (serverTime !== undefined) client[oauth.clockSkew] = Math.round((serverTime - Date.now()) / 1_000)
      const idToken = idTokenOf(received)
      if (idToken === undefined) return responseOf()
      const { text, alg } = readIdToken(idToken, metadata.issuer, clientId)
      // Without a list, the library would only take RS256. 'none' is for clients that have registered it.
      const isListed = metadata.id_token_signing_alg_values_supported !== undefined
      if (!isListed && alg !== undefined && alg !== 'none') client.id_token_signed_response_alg = alg
      return responseOf(text)
    }
    const isInsecure = new URL(metadata.token_endpoint).protocol === 'http:'
    const request = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: isInsecure }
    const answer = (): Answer => {
      if (received === undefined) throw new Error('no answer')
      return received
    }
    try {
      return { ok: true, value: await run({ as, client, metadata, request, answer }) }
    } catch (error) {
      return fail(failureOf(error, received, operation, host))
    }
  }

  const sendRevocation = (refreshToken: RefreshToken, timeoutMs?: number): Promise<Outcome<void>> =>
    exchange(
      'logout',
      async ({ as, client, request }) => {
        const additionalParameters = { token_type_hint: 'refresh_token' }
        const options = { ...request, additionalParameters }
        await oauth.revocationRequest(as, client, oauth.None(), refreshToken.reveal(), options)
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
    { answer, metadata }: Pick<Exchange, 'answer' | 'metadata'>,
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
        const elapsed = Math.max(0, Date.now() - answer().askedAt)
        await sendRevocation(refreshToken, Math.max(SHORTEST_TIMEOUT_MS, REFRESH_TIMEOUT_MS - elapsed))
      }
      throw error
    }
  }

  /**
   * The tokens with the user's name. Providers may give it only at the UserInfo endpoint (OpenID Connect Core section
   * 5.4). Without a response, the tokens stay as they are.
   */
  async function named({ userinfo_endpoint: endpoint }: Metadata, tokens: TokenPair): Promise<TokenPair> {
    const { identity, accessToken } = tokens
    if (identity === undefined || endpoint === undefined || hasName(identity)) return tokens
    const authorization = { kind: 'bearer', token: accessToken } as const
    const request = { operation: 'browserSignIn', method: 'GET', url: new URL(endpoint), authorization } as const
    const sent = await http.send({ ...request, timeoutMs: USER_INFO_TIMEOUT_MS })
    const claims = sent.ok && isSuccess(sent.value) ? jsonObjectOf(sent.value) : undefined
    // SECURITY: the claims must be about the ID token's subject (OpenID Connect Core section 5.3.2).
    if (claims === undefined || claims['sub'] !== identity['sub']) return tokens
    return { ...tokens, identity: { ...claims, ...identity } }
  }

  /** The provider's error to a made-up code or refresh token. */
  async function errorTo(form: Form, at: 'token' | 'revocation' = 'token'): Promise<string> {
    const discovered = await discover('browserSignIn')
    const endpoint = discovered.ok ? discovered.value[`${at}_endpoint`] : undefined
    if (!discovered.ok || endpoint === undefined) return ''
    const sent = await post('browserSignIn', discovered.value, new URL(endpoint), form)
    const error = (sent.ok && meaningOf(sent.value)) || ''
    // oidc-provider 9 calls a grant type that the client may not use by this name, too.
    const says = sent.ok && error === 'invalid_request' && jsonObjectOf(sent.value)?.['error_description']
    return typeof says === 'string' && /grant type/i.test(says) ? 'unauthorized_client' : error
  }

  /** Some providers look at a made-up code before the secret (better-auth), but at the secret before a made-up token. */
  async function wrongSecret(): Promise<string | undefined> {
    const error = clientSecret && (await errorTo({ token: 'check', token_type_hint: 'refresh_token' }, 'revocation'))
    return error === 'invalid_client' ? error : undefined
  }

  /** Why there will hardly be a refresh token. An error about the made-up one says that there may be others. */
  async function noRefresh(): Promise<string | undefined> {
    const error = await errorTo({ grant_type: 'refresh_token', refresh_token: 'check' })
    if (error === 'unsupported_grant_type' || error === 'unauthorized_client') return error
    const discovered = await discover('browserSignIn')
    const grants = discovered.ok ? discovered.value.grant_types_supported : undefined
    const isListed = grants?.includes('refresh_token') !== false
    return isListed || error === '' || error === 'invalid_grant' ? undefined : 'grant_types_supported'
  }

  /** The page to open. A provider that wants the parameters beforehand gets them so (RFC 9126). */
  async function authorizationAddress(metadata: Metadata, parameters: Readonly<Record<string, string>>) {
    const address = new URL(metadata.authorization_endpoint)
    const { pushed_authorization_request_endpoint: endpoint, require_pushed_authorization_requests: isPushed } =
      metadata
    if (isPushed !== true || endpoint === undefined) {
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return { ok: true, value: address } as const
    }
    const { client_id: _, ...pushed } = parameters
    const sent = await post('browserSignIn', metadata, new URL(endpoint), pushed)
    if (!sent.ok) return sent
    const failure = providerFailure(sent.value, 'notConfigured')
    if (failure !== undefined) return fail(failure)
    const parsed = parseAnswer(
      sent.value,
      v.object({ request_uri: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2048)) }),
    )
    if (!parsed.ok) return parsed
    address.searchParams.set('client_id', clientId)
    address.searchParams.set('request_uri', parsed.value.request_uri)
    return { ok: true, value: address } as const
  }

  const flat = (outcome: Outcome<Outcome<TokenPair>>): Outcome<TokenPair> => (outcome.ok ? outcome.value : outcome)

  return {
    issuer: authAddress,
    client: clientId,

    async authorize(redirectUri, asksConsent = false): Promise<Outcome<Authorization>> {
      const discovered = await discover('browserSignIn')
      if (!discovered.ok) return discovered
      const state = oauth.generateRandomState()
      const nonce = oauth.generateRandomNonce()
      const verifier = new Secret('PKCE verifier', oauth.generateRandomCodeVerifier())
      const metadata = discovered.value
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
        ...resourceOf(metadata),
        ...(prompt !== undefined ? { prompt } : asksConsent && { prompt: 'consent' }),
      }
      const found = await authorizationAddress(metadata, parameters)
      if (!found.ok) return found
      return {
        ok: true,
        value: {
          address: found.value,
          ...(metadata.isGuessed && { details: { operation: 'browserSignIn', host, cause: NO_METADATA } }),
          isOurs: (callback) => callback.get('state') === state,
          redeem: async (callback) =>
            flat(
              await exchange('browserSignIn', async (exchanged) => {
                const { as, client, request, answer } = exchanged
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
                  { ...request, additionalParameters: resourceOf(exchanged.metadata) },
                )
                const pair = issued(answer())
                if (!pair.ok) return pair
                // SECURITY: checks the ID token's issuer, audience and times, and `nonce`.
                const expectedNonce = isOpenId && hasNonce(answer(), exchanged.metadata) ? nonce : oauth.expectNoNonce
                const tokens = await checked(exchanged, pair.value, () =>
                  oauth.processAuthorizationCodeResponse(as, client, response, { expectedNonce }),
                )
                return tokens.ok ? { ok: true, value: await named(exchanged.metadata, tokens.value) } : tokens
              }),
            ),
        },
      }
    },

    /** Begins a sign-in that can't succeed: nobody is asked (`prompt=none`), and the code is made up. Opens nothing. */
    async check(redirectUri) {
      const begun = await this.authorize(redirectUri)
      if (!begun.ok) return begun
      const { address } = begun.value
      const url = new URL(address)
      url.searchParams.set('prompt', 'none')
      const sent = await http.send({ operation: 'browserSignIn', method: 'GET', url, accept: 'text/html' })
      if (!sent.ok) return sent
      const { status, headers } = sent.value
      const isGuessed = begun.value.details !== undefined
      if (ERROR_PAGES.has(status)) return { ok: true, value: { kind: 'errorPage', status, isGuessed } }
      // An error that can't be sent to the redirect address may be shown at an address of the provider's own.
      const { location = '' } = headers
      const error = URL.canParse(location, url.href) && new URL(location, url).searchParams.get('error')
      const code = {
        grant_type: 'authorization_code',
        code: 'check',
        redirect_uri: redirectUri,
        code_verifier: 'check',
      }
      const told = error && !NEEDS_PERSON.has(error) ? error : undefined
      const wrong = told ?? [await errorTo(code)].find((each) => CLIENT_ERRORS.has(each)) ?? (await wrongSecret())
      if (wrong !== undefined) return { ok: true, value: { kind: 'refused', cause: plainText(wrong, []) } }
      const cause = await noRefresh()
      return { ok: true, value: { kind: 'ready', page: address, isGuessed, ...(cause && { noRefresh: cause }) } }
    },

    async refresh(refreshToken) {
      return flat(
        await exchange('refresh', async (exchanged) => {
          const { as, client, request, answer } = exchanged
          const sent = refreshToken.reveal()
          const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), sent, {
            ...request,
            additionalParameters: resourceOf(exchanged.metadata),
          })
          const pair = issued(answer(), refreshToken)
          if (!pair.ok) return pair
          // SECURITY: validates the ID token. Its subject shows whether the session's user has changed, even if the
          // access token contains no subject.
          const check = () => oauth.processRefreshTokenResponse(as, client, response)
          return checked(exchanged, pair.value, check, refreshToken)
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

const hasName = (identity: Readonly<Record<string, unknown>>): boolean =>
  [identity['name'], identity['preferred_username']].some((name) => typeof name === 'string' && name !== '')

/** The tokens, with the claims of the ID token, if there is one. */
function withIdentityOf(tokens: oauth.TokenEndpointResponse, pair: TokenPair): Outcome<TokenPair> {
  const identity = oauth.getValidatedIdTokenClaims(tokens)
  return { ok: true, value: identity ? { ...pair, identity } : pair }
}

/**
 * True if the answer must have the nonce. Some providers ignore the scope `openid` and send no ID token, or one without
 * the nonce. SECURITY: if the provider checks PKCE, that alone shows that the tokens belong to this sign-in (RFC 9700
 * section 2.1.1). An OpenID provider that doesn't say so must send the nonce.
 */
function hasNonce(answer: Answer, metadata: Metadata): boolean {
  const { issuer, id_token_signing_alg_values_supported: algorithms, code_challenge_methods_supported: pkce } = metadata
  const isPkce = pkce?.includes('S256') === true
  const idToken = idTokenOf(answer)
  if (idToken === undefined) return algorithms !== undefined && !isPkce
  return !isPkce || readIdToken(idToken, issuer, '').hasNonce
}

function failureIn(operation: Operation, answer: Answer): Failure | undefined {
  // The content of a revocation that succeeded is ignored (RFC 7009 section 2.2).
  if (operation === 'logout' && isSuccess(answer)) return commonFailure(answer)
  if (operation !== 'browserSignIn') return providerFailure(answer, 'sessionEnded')
  const failure = providerFailure(answer, 'rejected')
  // Whatever a 401 says, it is about the client (RFC 6749 section 5.2).
  const isClient = failure?.code === 'malformedResponse' && answer.status === 401
  return isClient ? { ...failure, code: 'notConfigured' } : failure
}

type Form = NonNullable<HttpRequest['form']>

/** The library's parameters that are not secret. Failures may repeat them. */
const PUBLIC: ReadonlySet<string> = new Set(['grant_type', 'redirect_uri', 'resource', 'token_type_hint'])

/**
 * The library's form, without the client, which `ClientAuthentication` adds. SECURITY: everything secret (code,
 * verifier, token) stays a Secret until the request is written.
 */
const formOf = (body: unknown): Form =>
  body instanceof URLSearchParams
    ? Object.fromEntries(
        [...body]
          .filter(([name]) => name !== 'client_id')
          .map(([name, value]) => [name, PUBLIC.has(name) ? value : new Secret(name, value)]),
      )
    : {}

/**
 * An answer for the library, which checks the ID token in it. `issued` reads everything else, because the library
 * refuses a token over an optional field.
 */
function responseOf(idToken?: string): Response {
  const tokens = { access_token: 'read by us', token_type: 'bearer', ...(idToken && { id_token: idToken }) }
  return new Response(JSON.stringify(tokens), { headers: { 'content-type': 'application/json' } })
}

/** The failure for an answer that did not pass a check by the library, or that names another issuer. */
const refused = (answer: Answer | undefined, cause: string, operation: Operation): Failure => ({
  code: 'malformedResponse',
  ...(operation === 'browserSignIn' && { problem: 'answerRefused' }),
  details: { ...(answer?.details ?? { operation }), cause },
})

/** The meaning of an error that the provider sent through the browser (RFC 6749 section 4.1.2.1). */
function authorizationFailure(
  { error: named, error_description: text }: oauth.AuthorizationResponseError,
  host: string,
) {
  const serverText = plainText(text ?? '', [])
  // Salesforce writes `access-denied`.
  const error = named.replaceAll('-', '_')
  // Keycloak's page was open for too long (Securing applications: Keycloak specific errors).
  const isTooLate = text === 'authentication_expired'
  // The person declined, or the provider's page couldn't let them in: there, it takes all steps itself.
  const code = codeOf(error) ?? 'interactionRequired'
  return {
    code: isTooLate ? 'sessionEnded' : code,
    ...(code === 'interactionRequired' && { problem: 'consentDenied' as const }),
    ...(isTooLate && { problem: 'browserTimeout' as const }),
    ...(serverText !== '' && { serverText }),
    details: { operation: 'browserSignIn', host, cause: plainText(named, []) },
  } satisfies Failure
}

function failureOf(error: unknown, answer: Answer | undefined, operation: Operation, host: string): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof oauth.AuthorizationResponseError) return authorizationFailure(error, host)
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string') throw error
  return refused(answer, claimCause(error) ?? code, operation)
}

/** The callback with the issuer as its metadata spell it: better-auth's `iss` lacks the slash at the end, for one. */
function withIssuer(callback: URLSearchParams, issuer: string): URLSearchParams {
  const [given, ...more] = callback.getAll('iss')
  if (given === undefined || more.length > 0 || !isSameIssuer(given, issuer)) return callback
  const written = new URLSearchParams(callback)
  written.set('iss', issuer)
  return written
}

/** Values that are only meant for this sign-in, so no failure repeats them. */
const UNSHOWN: ReadonlySet<string> = new Set(['nonce', 'state'])

/** Names the claim that the library refused. An issuer or audience is named, too, with the one that was expected. */
function claimCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const [, claim, kind] = /"(\w+)"(?: \([\w ]+\))? (claim|response parameter|property)/.exec(error.message) ?? []
  if (claim === undefined) return undefined
  if (kind === 'property') return `field ${claim}`
  const { expected, claims, parameters } = (error.cause ?? {}) as Readonly<Record<string, unknown>>
  const found: unknown =
    parameters instanceof URLSearchParams
      ? parameters.get(claim)
      : (claims as Record<string, unknown> | undefined)?.[claim]
  const values = UNSHOWN.has(claim) ? [] : [shownValue(found), shownValue(expected)]
  return ['claim', claim, ...(values.includes('') ? [] : values)].join(' ')
}

/** An address without its path, or a name; an empty text for anything else. */
function shownValue(value: unknown): string {
  if (typeof value !== 'string') return ''
  return plainText(URL.canParse(value) ? new URL(value).origin : value, []).replace(/\s/g, '')
}
