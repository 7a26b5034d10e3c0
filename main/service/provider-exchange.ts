/** Requests to a provider: our HTTP client sends them, and the protocol library checks the responses. */
import * as oauth from 'oauth4webapi'
import { assertNever } from '../../contract/assert-never.ts'
import { type Failure, fail, type Outcome } from '../../contract/failures.ts'
import { password, Secret } from '../base/secret.ts'
import type { HttpClient } from './http-client.ts'
import { plainText } from './plain-text.ts'
import { type Discover, discovery, type Metadata } from './provider-metadata.ts'
import { failureCodeOf, idTokenOf, providerFailure, readIdToken, standardErrorOf } from './provider-response.ts'
import { formEncoded, type HttpRequest, REFRESH_TIMEOUT_MS } from './request.ts'
import {
  commonFailure,
  type HttpResponse,
  isAccountBlocked,
  isHtml,
  isSuccess,
  serverTimeOf,
  withoutForm,
} from './response.ts'

/** The shortest timeout of a request. Even if no time is left, tokens that fail a check are revoked with this timeout. */
export const SHORTEST_TIMEOUT_MS = 1_000

type Operation = Parameters<Discover>[0]
export type FormFields = NonNullable<HttpRequest['form']>

export interface OAuthExchange {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly metadata: Metadata
  readonly request: {
    readonly [oauth.customFetch]: (address: string, options: { readonly body: unknown }) => Promise<Response>
    readonly [oauth.allowInsecureRequests]: boolean
  }
  readonly lastResponse: () => HttpResponse
}

class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

export interface ProviderOptions {
  /** The provider's address, without a query and without a slash at the end. */
  readonly authAddress: string
  readonly clientId: string
  readonly clientSecret?: Secret | undefined
  readonly http: HttpClient
}

export class ProviderExchange {
  readonly discover: Discover
  readonly #options: ProviderOptions
  readonly #authentication: ClientAuthentication

  constructor(options: ProviderOptions) {
    const { authAddress, clientId, clientSecret, http } = options
    this.#options = options
    this.discover = discovery(authAddress, http)
    this.#authentication = new ClientAuthentication(clientId, clientSecret)
  }

  /** Posts a form as the client. The timeout covers all methods of authentication that are tried. */
  async post(
    operation: Operation,
    metadata: Metadata,
    url: URL,
    form: FormFields,
    timeoutMs = operation === 'refresh' ? REFRESH_TIMEOUT_MS : undefined,
  ): Promise<Outcome<HttpResponse>> {
    const startedAt = Date.now()
    const { http } = this.#options
    return this.#authentication.authenticate(form, methodsFor(metadata, url), async (authenticated) => {
      const elapsed = Math.max(0, Date.now() - startedAt)
      const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(SHORTEST_TIMEOUT_MS, timeoutMs - elapsed) }
      const sent = await http.send({ operation, method: 'POST', url, ...authenticated, ...left })
      return sent.ok ? { ok: true, value: withoutForm(sent.value) } : sent
    })
  }

  async run<T>(
    operation: Operation,
    work: (exchange: OAuthExchange) => Promise<T>,
    timeoutMs?: number,
  ): Promise<Outcome<T>> {
    const { authAddress, clientId } = this.#options
    const discovered = await this.discover(operation)
    if (!discovered.ok) return discovered
    const metadata = discovered.value
    const as = metadata as oauth.AuthorizationServer
    const client: oauth.Client = { client_id: clientId }
    let received: HttpResponse | undefined
    const send = async (address: string, { body }: { readonly body: unknown }): Promise<Response> => {
      const result = await this.post(operation, metadata, new URL(address), formOf(body), timeoutMs)
      if (!result.ok) throw new Failed(result.failure)
      received = result.value
      return forLibrary(received, operation, metadata, client)
    }
    const isInsecure = new URL(metadata.token_endpoint).protocol === 'http:'
    const request = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: isInsecure }
    const lastResponse = (): HttpResponse => {
      if (received === undefined) throw new Error('no response')
      return received
    }
    try {
      return { ok: true, value: await work({ as, client, metadata, request, lastResponse }) }
    } catch (error) {
      return fail(failureOf(error, received, operation, new URL(authAddress).host))
    }
  }
}

/** The response that the library is to check. Throws the failure if the provider's response reports one. */
function forLibrary(response: HttpResponse, operation: Operation, metadata: Metadata, client: oauth.Client): Response {
  const failure = failureIn(operation, response)
  if (failure?.code === 'rejected') throw new Failed({ problem: 'browserRefused', ...failure })
  const isDenied = failure?.code === 'interactionRequired' && operation === 'browserSignIn'
  if (failure !== undefined) throw new Failed({ ...(isDenied && { problem: 'consentDenied' }), ...failure })
  // A wrong clock on this desktop must not make tokens look expired.
  const serverTime = serverTimeOf(response)
  if (serverTime !== undefined) client[oauth.clockSkew] = Math.round((serverTime - Date.now()) / 1_000)
  const idToken = idTokenOf(response)
  if (idToken === undefined) return responseOf()
  const { text, alg } = readIdToken(idToken, metadata.issuer, client.client_id)
  // Without algorithms in the metadata, the library accepts only RS256. `none` is only for clients that asked for it.
  const isListed = metadata.id_token_signing_alg_values_supported !== undefined
  if (!isListed && alg !== undefined && alg !== 'none') client.id_token_signed_response_alg = alg
  return responseOf(text)
}

function failureIn(operation: Operation, response: HttpResponse): Failure | undefined {
  // Nobody reads the content of a successful revocation (RFC 7009 section 2.2).
  if (operation === 'logout' && isSuccess(response)) return commonFailure(response)
  if (operation !== 'browserSignIn') return providerFailure(response, 'sessionEnded')
  const failure = providerFailure(response, 'rejected')
  // A 401 is about the client, whatever its content says (RFC 6749 section 5.2).
  const isClient = failure?.code === 'malformedResponse' && response.status === 401
  return isClient ? { ...failure, code: 'notConfigured' } : failure
}

const PUBLIC: ReadonlySet<string> = new Set(['grant_type', 'redirect_uri', 'resource', 'token_type_hint'])

/** The library's form without the client. SECURITY: code, verifier and token stay wrapped until they are written. */
const formOf = (body: unknown): FormFields =>
  body instanceof URLSearchParams
    ? Object.fromEntries(
        [...body]
          .filter(([name]) => name !== 'client_id')
          .map(([name, value]) => [name, PUBLIC.has(name) ? value : new Secret(name, value)]),
      )
    : {}

/** Gives the library only the ID token to check, as it would refuse a small fault in any other field, too. */
function responseOf(idToken?: string): Response {
  const tokens = { access_token: 'read by us', token_type: 'bearer', ...(idToken && { id_token: idToken }) }
  return new Response(JSON.stringify(tokens), { headers: { 'content-type': 'application/json' } })
}

const refused = (response: HttpResponse | undefined, cause: string, operation: Operation, host: string): Failure => ({
  code: 'malformedResponse',
  ...(operation === 'browserSignIn' && { problem: 'answerRefused' }),
  details: { ...(response?.details ?? { operation, host }), cause },
})

/** An error in the callback (RFC 6749 section 4.1.2.1). */
function authorizationFailure(
  { error: named, error_description: text }: oauth.AuthorizationResponseError,
  host: string,
) {
  const serverText = plainText(text ?? '', [])
  // Salesforce writes `access-denied`.
  const error = named.replaceAll('-', '_')
  // Keycloak says this if its page stayed open too long (Securing applications: Keycloak specific errors).
  const isTooLate = text === 'authentication_expired'
  // The user declined, or the provider's page couldn't let them in.
  const code = failureCodeOf(error) ?? 'interactionRequired'
  return {
    code: isTooLate ? 'sessionEnded' : code,
    ...(code === 'interactionRequired' && {
      problem: isAccountBlocked({ error }, serverText) ? ('accountBlocked' as const) : ('consentDenied' as const),
    }),
    ...(isTooLate && { problem: 'browserTimeout' as const }),
    ...(serverText !== '' && { serverText }),
    details: { operation: 'browserSignIn', host, cause: plainText(named, []) },
  } satisfies Failure
}

function failureOf(error: unknown, response: HttpResponse | undefined, operation: Operation, host: string): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof oauth.AuthorizationResponseError) return authorizationFailure(error, host)
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string') throw error
  return refused(response, claimCause(error) ?? code, operation, host)
}

/** The names of the claims and parameters whose values no failure shows. */
const UNSHOWN: ReadonlySet<string> = new Set(['nonce', 'state'])

/** Finds the name in the library's messages, which contain `"iss" (issuer) claim` or `"alg" header parameter`. */
const NAMED = /"(\w+)"(?: \([\w ]+\))? (claim|(?:\w+ )?parameter|missing|must be|property)/

function claimCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const [, claim, kind] = NAMED.exec(error.message) ?? []
  if (claim === undefined) return undefined
  if (kind === 'property') return `field ${claim}`
  const { expected, header, claims, parameters } = (error.cause ?? {}) as Readonly<Record<string, unknown>>
  const found: unknown =
    parameters instanceof URLSearchParams
      ? parameters.get(claim)
      : ({ ...(header as object), ...(claims as object) } as Record<string, unknown>)[claim]
  const values = UNSHOWN.has(claim) ? [] : differing(found, expected)
  return ['claim', claim, ...values].join(' ')
}

/**
 * The value found and the value expected. If these are addresses with different origins, only the origins are returned.
 * Empty if one of the values can't be shown.
 */
function differing(found: unknown, expected: unknown): readonly string[] {
  const pairs = [false, true].map((isWhole) => [shownValue(found, isWhole), shownValue(expected, isWhole)])
  const pair = pairs.find(([one, other]) => one !== other) ?? []
  return pair.includes('') ? [] : pair
}

/** The value as text without spaces. The texts of a list are joined with commas. */
const shownValue = (value: unknown, isWhole: boolean): string =>
  [value]
    .flat()
    .map((each) => (typeof each !== 'string' ? '' : !isWhole && URL.canParse(each) ? new URL(each).origin : each))
    .map((each) => plainText(each, []).replace(/\s/g, ''))
    .join(',')

/**
 * The ways to send the client's secret. `plainBasic` is Basic without form encoding, which some providers don't decode
 * (glewlwyd: client_check_password).
 */
type Method = 'client_secret_basic' | 'plainBasic' | 'client_secret_post'

/** What providers say if they don't accept the method (RFC 6749 section 5.2). */
const REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'])

/** How a client proves that it has the secret (RFC 6749 section 2.3.1). */
class ClientAuthentication {
  readonly #clientId: string
  readonly #secret: Secret | undefined
  #accepted: Method | undefined

  constructor(clientId: string, secret: Secret | undefined) {
    this.#clientId = clientId
    this.#secret = secret
  }

  /** If the provider refuses the method, tries each of the other methods once. */
  async authenticate(
    form: FormFields,
    methods: readonly string[] | undefined,
    send: (authenticated: Pick<HttpRequest, 'form' | 'authorization'>) => Promise<Outcome<HttpResponse>>,
  ): Promise<Outcome<HttpResponse>> {
    const secret = this.#secret
    if (secret === undefined) return send({ form: { ...form, client_id: this.#clientId } })
    const attempt = async (method: Method): Promise<Outcome<HttpResponse>> => {
      const result = await send(this.#with(method, form, secret))
      if (result.ok && isSuccess(result.value) && !this.#isRefused(result)) this.#accepted = method
      return result
    }
    let first: Outcome<HttpResponse> | undefined
    for (const method of this.#inOrder(this.#accepted ?? preferred(methods), secret)) {
      const result = await attempt(method)
      // Some providers use up the code even if they refuse the method, so the next method gets `invalid_grant`. The
      // next sign-in then begins with that method.
      if (first !== undefined && result.ok && standardErrorOf(result.value) === 'invalid_grant') this.#accepted = method
      if (!this.#isRefused(result)) return result
      first ??= result
    }
    return first ?? fail({ code: 'notConfigured' })
  }

  #inOrder(first: Method, secret: Secret): ReadonlySet<Method> {
    const isPlain = [this.#clientId, secret.reveal()].every((text) => formEncoded(text) === text)
    return new Set([first, 'client_secret_basic', 'client_secret_post', ...(isPlain ? [] : ['plainBasic' as const])])
  }

  #with(method: Method, form: FormFields, secret: Secret): Pick<HttpRequest, 'form' | 'authorization'> {
    switch (method) {
      case 'client_secret_basic':
        return { form, authorization: { kind: 'client', id: this.#clientId, secret } }
      case 'plainBasic':
        return { form, authorization: { kind: 'basic', username: this.#clientId, password: password(secret.reveal()) } }
      case 'client_secret_post':
        return { form: { ...form, client_id: this.#clientId, client_secret: secret } }
      default:
        return assertNever(method)
    }
  }

  #isRefused(result: Outcome<HttpResponse>): boolean {
    if (!result.ok || isHtml(result.value)) return false
    const { status } = result.value
    const error = standardErrorOf(result.value)
    if (error !== undefined && REFUSALS.has(error)) return true
    // Some providers send one of these errors if they don't know the method, and therefore find no client ID.
    return this.#accepted === undefined && (error === 'invalid_request' || (error === undefined && status === 401))
  }
}

/** The method to try first (RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3). */
function preferred(methods: readonly string[] | undefined): Method {
  const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isPost ? 'client_secret_post' : 'client_secret_basic'
}

const methodsFor = (metadata: Metadata, url: URL): readonly string[] | undefined => {
  const isRevocation = url.href === metadata.revocation_endpoint
  return (
    (isRevocation ? metadata.revocation_endpoint_auth_methods_supported : undefined) ??
    metadata.token_endpoint_auth_methods_supported
  )
}
