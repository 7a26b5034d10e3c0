/** A provider's endpoints, from its metadata (OpenID Connect Discovery 1.0, RFC 8414). */
import * as v from 'valibot'
import { fail, NO_METADATA, type Outcome } from '../../contract/failures.ts'
import { urlOf } from '../base/url.ts'
import type { HttpClient } from './http-client.ts'
import { plainText } from './plain-text.ts'
import { failureCodeOf, isSameIssuer, providerErrorOf, providerFailure } from './provider-response.ts'
import { failureOf, type HttpResponse, isHtml, jsonObjectOf, parseResponse, redirectsWithin } from './response.ts'
import { isLoopback } from './transport.ts'

/**
 * SECURITY: an endpoint must use https, unless the provider is on this machine. Otherwise a remote provider could name
 * an http address on this machine, where any program could listen for tokens.
 */
const endpointOf = (authAddress: string) =>
  v.pipe(
    v.string(),
    v.maxLength(2048),
    v.check((text) => {
      const url = urlOf(text)
      if (url === undefined) return false
      const isLocal = isPlainLoopback(new URL(authAddress)) && isPlainLoopback(url)
      return (url.protocol === 'https:' || isLocal) && url.username === '' && url.password === '' && url.hash === ''
    }),
  )

const isPlainLoopback = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol === 'http:' && isLoopback(hostname)

const optionally = <T>(schema: v.GenericSchema<unknown, T>) => v.fallback(v.optional(schema), undefined)

function metadataOf(authAddress: string) {
  const endpoint = endpointOf(authAddress)
  const names = v.array(v.string())
  return v.object({
    issuer: v.string(),
    authorization_endpoint: endpoint,
    token_endpoint: endpoint,
    revocation_endpoint: optionally(endpoint),
    userinfo_endpoint: optionally(endpoint),
    authorization_response_iss_parameter_supported: optionally(v.boolean()),
    code_challenge_methods_supported: optionally(names),
    id_token_signing_alg_values_supported: optionally(names),
    token_endpoint_auth_methods_supported: optionally(names),
    revocation_endpoint_auth_methods_supported: optionally(names),
    grant_types_supported: optionally(names),
    resource_indicators_supported: optionally(v.boolean()),
    pushed_authorization_request_endpoint: optionally(endpoint),
    require_pushed_authorization_requests: optionally(v.boolean()),
  })
}
export type Metadata = v.InferOutput<ReturnType<typeof metadataOf>> & {
  readonly isGuessed?: true
}

const usualEndpoints = (authAddress: string) => ({
  issuer: authAddress,
  authorization_endpoint: `${authAddress}/authorize`,
  token_endpoint: `${authAddress}/oauth/token`,
  isGuessed: true as const,
})

/** The addresses of the metadata: that of OpenID Connect Discovery 1.0 section 4, then that of RFC 8414 section 3.1. */
function addressesOf(authAddress: string): readonly URL[] {
  const { origin, pathname } = new URL(authAddress)
  return [
    new URL(`${authAddress}/.well-known/openid-configuration`),
    new URL(`${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`),
  ]
}

/**
 * SECURITY: a redirect of the metadata is followed only within the same server. The request contains no secret, and the
 * metadata must still name the issuer.
 */
function movedWithin({ status, headers: { location } }: HttpResponse, from: URL): URL | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined
  const to = urlOf(location, from)
  return to?.origin === from.origin ? to : undefined
}

const METADATA_FIELDS = ['issuer', 'authorization_endpoint', 'token_endpoint']
const JSON_TYPE = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** Whether the server says that it has no metadata: with an error, a page, or a redirect to a page. */
function isMissing(response: HttpResponse): boolean {
  const { status } = response
  if (response.defect !== undefined) return false
  if (status >= 300 && status < 400) return redirectsWithin(response)
  const object = jsonObjectOf(response)
  if (status < 300) {
    // JSON that can't be parsed was cut off, so the server has metadata.
    if (object === undefined) return !JSON_TYPE.test(response.headers['content-type'] ?? '') || isHtml(response)
    return METADATA_FIELDS.every((field) => !(field in object))
  }
  return status === 501 || (status < 500 && !isTemporary(response))
}

/** Statuses of a busy server or a proxy, which say nothing about the metadata. */
const TEMPORARY: ReadonlySet<number> = new Set([407, 408, 425, 429])

function isTemporary(response: HttpResponse): boolean {
  const code = failureCodeOf(providerErrorOf(response) ?? '')
  return TEMPORARY.has(response.status) || code === 'unreachable' || code === 'rateLimited'
}

export type Discover = (operation: 'browserSignIn' | 'refresh' | 'logout') => Promise<Outcome<Metadata>>

/** Returns the function that finds the endpoints. It keeps the provider's metadata while Latchkey runs. */
export function discovery(authAddress: string, http: Pick<HttpClient, 'send'>): Discover {
  let known: Metadata | undefined

  async function discover(operation: Parameters<Discover>[0]): Promise<Outcome<Metadata>> {
    let missing: HttpResponse | undefined
    for (const url of addressesOf(authAddress)) {
      let result = await http.send({ operation: 'discovery', method: 'GET', url })
      const moved = result.ok ? movedWithin(result.value, url) : undefined
      if (moved !== undefined) result = await http.send({ operation: 'discovery', method: 'GET', url: moved })
      if (!result.ok) return result
      if (!isMissing(result.value)) return readMetadata(result.value, operation)
      missing ??= result.value
    }
    // Without metadata, Latchkey uses the usual addresses. Revocation has none, so it fails and is retried later.
    if (operation !== 'logout' || missing === undefined) return { ok: true, value: usualEndpoints(authAddress) }
    const { details, status } = missing
    return fail({ code: 'unreachable', details: { ...details, status, cause: NO_METADATA } })
  }

  function readMetadata(response: HttpResponse, operation: Parameters<Discover>[0]): Outcome<Metadata> {
    const failure = providerFailure(response, 'malformedResponse')
    if (failure !== undefined) return fail(failure)
    const parsed = parseResponse(response, metadataOf(authAddress))
    if (!parsed.ok) return parsed
    // SECURITY: the metadata must name this issuer (OpenID Connect Discovery 1.0 section 4.3, RFC 8414 section 3.3).
    if (!isSameIssuer(parsed.value.issuer, authAddress)) {
      const named = plainText(parsed.value.issuer, []).replace(/\s/g, '')
      const refused = failureOf(response, 'malformedResponse', `claim issuer ${named} ${authAddress}`)
      return fail(operation === 'browserSignIn' ? { ...refused, problem: 'answerRefused' } : refused)
    }
    known = parsed.value
    return parsed
  }

  return async (operation) => (known === undefined ? discover(operation) : { ok: true, value: known })
}
