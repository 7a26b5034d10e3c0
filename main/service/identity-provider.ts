import * as v from 'valibot'
import { assertNever } from '../../contract/assert-never.ts'
import type { Authenticator, AuthenticatorKind } from '../../contract/challenges.ts'
import { type Failure, fail, type Outcome } from '../../contract/failures.ts'
import { type RefreshToken, Secret } from '../base/secret.ts'
import type {
  FactorProof,
  FactorVerification,
  IdentityProvider,
  LoginOutcome,
  SecondFactorProvider,
} from '../session/ports.ts'
import type { HttpClient } from './http-client.ts'
import { plainText } from './plain-text.ts'
import { issuedTokens, providerErrorOf, providerFailure } from './provider-response.ts'
import { type HttpRequest, REFRESH_TIMEOUT_MS } from './request.ts'
import { type HttpResponse, jsonObjectOf, jsonOf, parseResponse } from './response.ts'
import { isHeaderToken } from './schemas.ts'

export interface IdentityProviderOptions {
  /** The provider's address, without a query and without a slash at the end. */
  readonly authAddress: string
  /** `DOMAIN` in the grant type `http://DOMAIN/oauth/grant-type/password-realm`. */
  readonly providerDomain: string
  readonly realm: string
  readonly scope: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: Secret
  readonly http: HttpClient
}

/** The legacy password-realm grant (RFC 9700 section 2.4) can neither revoke tokens nor change the password. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { http } = options
  const client = { client_id: options.clientId, client_secret: options.clientSecret }

  async function ask(operation: 'login' | 'refresh', json: NonNullable<HttpRequest['json']>, sent?: RefreshToken) {
    const url = new URL(`${options.authAddress}/oauth/token`)
    const timeout = operation === 'refresh' ? { timeoutMs: REFRESH_TIMEOUT_MS } : {}
    const result = await http.send({ operation, method: 'POST', url, json, ...timeout })
    if (!result.ok) return result
    const failure = providerFailure(result.value, operation === 'login' ? 'rejected' : 'sessionEnded')
    if (failure === undefined) return issuedTokens(result.value, sent)
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

function mfaTokenOf(response: HttpResponse): Secret<'MFA token'> | undefined {
  const token = providerErrorOf(response) === 'mfa_required' ? jsonObjectOf(response)?.['mfa_token'] : undefined
  return typeof token === 'string' && isHeaderToken(token) ? new Secret('MFA token', token) : undefined
}

type SecondFactorOptions = Pick<
  IdentityProviderOptions,
  'authAddress' | 'providerDomain' | 'clientId' | 'clientSecret' | 'http'
>

/** The interval between polls if the provider names none, as for the device grant (RFC 8628 section 3.2). */
const DEFAULT_INTERVAL_S = 5
const LONGEST_INTERVAL_S = 60
const MOST_AUTHENTICATORS = 20

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
const absent = <T>(schema: v.GenericSchema<unknown, T>) => v.fallback(v.optional(schema), undefined)
const listed = v.pipe(
  v.array(
    v.looseObject({
      id: name,
      authenticator_type: v.string(),
      oob_channel: absent(v.string()),
      oob_channels: absent(v.array(v.string())),
      name: absent(v.string()),
      active: absent(v.boolean()),
    }),
  ),
  v.maxLength(MOST_AUTHENTICATORS),
)
type Listed = v.InferOutput<typeof listed>[number]

const challenged = v.variant('challenge_type', [
  v.object({ challenge_type: v.literal('otp') }),
  v.object({
    challenge_type: v.literal('oob'),
    oob_code: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)),
    binding_method: absent(v.string()),
    interval: v.fallback(v.pipe(v.number(), v.minValue(1), v.maxValue(LONGEST_INTERVAL_S)), DEFAULT_INTERVAL_S),
  }),
])

const newRecoveryCode = v.object({
  recovery_code: absent(v.pipe(v.string(), v.minLength(1), v.maxLength(256), v.regex(/^[\x21-\x7e]+$/))),
})

const CHANNELS: ReadonlyMap<string, AuthenticatorKind> = new Map([
  ['sms', 'textMessage'],
  ['voice', 'phoneCall'],
  ['email', 'email'],
  ['auth0', 'push'],
])

function kindOf({ authenticator_type, oob_channel, oob_channels }: Listed): AuthenticatorKind | undefined {
  if (authenticator_type === 'otp') return 'app'
  if (authenticator_type === 'recovery-code') return 'recoveryCode'
  if (authenticator_type !== 'oob') return undefined
  const channel = [oob_channel ?? '', ...(oob_channels ?? [])].find((each) => CHANNELS.has(each))
  return CHANNELS.get(channel ?? '')
}

function authenticatorOf(each: Listed): readonly Authenticator[] {
  const kind = kindOf(each)
  if (kind === undefined || each.active === false) return []
  const label = plainText(each.name ?? '', [])
  return [{ id: each.id, kind, ...(label !== '' && { label }) }]
}

function explained(response: HttpResponse, failure: Failure): Failure {
  switch (providerErrorOf(response)) {
    case 'expired_token':
    case 'invalid_token':
      return { ...failure, code: 'sessionEnded', problem: 'stepRefused' }
    case 'association_required':
      return { ...failure, code: 'interactionRequired', problem: 'notEnrolled' }
    case 'unsupported_challenge_type':
      return { ...failure, code: 'interactionRequired', problem: 'noSecondFactor' }
    default:
      return failure
  }
}

/** The MFA API of the password-realm grant's provider, as Auth0 documents it. */
export function createSecondFactor(options: SecondFactorOptions): SecondFactorProvider {
  const { authAddress, http } = options
  const client = { client_id: options.clientId, client_secret: options.clientSecret }

  async function ask(request: Omit<HttpRequest, 'url' | 'operation'>, path: string): Promise<Outcome<HttpResponse>> {
    const url = new URL(`${authAddress}${path}`)
    const result = await http.send({ operation: 'secondFactor', url, ...request })
    if (!result.ok) return result
    const failure = providerFailure(result.value, 'rejected')
    return failure === undefined ? result : fail(explained(result.value, failure))
  }

  return {
    async authenticators(mfaToken) {
      const response = await ask(
        { method: 'GET', authorization: { kind: 'bearer', token: mfaToken } },
        '/mfa/authenticators',
      )
      // A 404 means that the provider has no MFA API, even if the response is a page.
      if (!response.ok && response.failure.details?.status === 404) {
        return fail({ ...response.failure, code: 'interactionRequired', problem: 'noSecondFactor' })
      }
      if (!response.ok) return response
      const parsed = v.safeParse(listed, jsonOf(response.value))
      return parsed.success
        ? { ok: true, value: parsed.output.flatMap(authenticatorOf) }
        : fail({ code: 'malformedResponse', details: response.value.details })
    },

    async challenge(mfaToken, authenticator) {
      const type = authenticator.kind === 'app' ? 'otp' : 'oob'
      const json = { ...client, challenge_type: type, mfa_token: mfaToken, authenticator_id: authenticator.id }
      const response = await ask({ method: 'POST', json }, '/mfa/challenge')
      if (!response.ok) return response
      const parsed = parseResponse(response.value, challenged)
      if (!parsed.ok) return parsed
      if (parsed.value.challenge_type === 'otp') return { ok: true, value: { kind: 'shownCode' } }
      const { oob_code, binding_method, interval } = parsed.value
      const oobCode = new Secret('out-of-band code', oob_code)
      const isTyped = binding_method === 'prompt'
      return { ok: true, value: { kind: 'outOfBand', oobCode, isTyped, intervalMs: interval * 1_000 } }
    },

    async verify(mfaToken, proof): Promise<FactorVerification> {
      const json = { ...client, mfa_token: mfaToken, ...proofFields(proof, options.providerDomain) }
      const url = new URL(`${authAddress}/oauth/token`)
      const result = await http.send({ operation: 'secondFactor', method: 'POST', url, json })
      if (!result.ok) return { kind: 'failure', failure: result.failure }
      const error = providerErrorOf(result.value)
      if (error === 'authorization_pending') return { kind: 'pending', slowDown: false }
      if (error === 'slow_down') return { kind: 'pending', slowDown: true }
      const failure = providerFailure(result.value, 'rejected')
      if (failure !== undefined) return { kind: 'failure', failure: explained(result.value, failure) }
      const tokens = issuedTokens(result.value)
      if (!tokens.ok) return { kind: 'failure', failure: tokens.failure }
      const next = parseResponse(result.value, newRecoveryCode)
      const code = next.ok ? next.value.recovery_code : undefined
      const recoveryCode = code ? { recoveryCode: new Secret('new recovery code', code) } : {}
      return { kind: 'tokens', tokens: tokens.value, ...recoveryCode }
    },
  }
}

function proofFields(proof: FactorProof, domain: string): Readonly<Record<string, string | Secret>> {
  const grantType = (suffix: string) => ({ grant_type: `http://${domain}/oauth/grant-type/${suffix}` })
  switch (proof.kind) {
    case 'shownCode':
      return { ...grantType('mfa-otp'), otp: proof.code }
    case 'outOfBand':
      return {
        ...grantType('mfa-oob'),
        oob_code: proof.oobCode,
        ...(proof.code && { binding_code: proof.code }),
      }
    case 'recoveryCode':
      return { ...grantType('mfa-recovery-code'), recovery_code: proof.code }
    default:
      return assertNever(proof)
  }
}
