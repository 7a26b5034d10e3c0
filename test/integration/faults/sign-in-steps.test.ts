/** Each further step of a sign-in at the identity provider, under each fault of the connection and the answer. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FailureCode, Outcome } from '../../../contract/failures.ts'
import type { WireFault } from '../../../demo/faults.ts'
import {
  type IdentityProvider,
  type ProviderOperation,
  startIdentityProvider,
} from '../../../demo/identity-provider.ts'
import { DEMO_CODES } from '../../../demo/second-factor.ts'
import { ANA } from '../../../demo/users.ts'
import { createAuthorizationServer } from '../../../main/service/authorization-server.ts'
import { createIdentityProvider } from '../../../main/service/identity-provider.ts'
import { createSecondFactor } from '../../../main/service/second-factor.ts'
import { testClient } from '../../../main/service/testing.ts'
import type { AuthorizationServer, MfaToken } from '../../../main/session/ports.ts'
import { password, type RefreshToken, Secret } from '../../../main/session/secret.ts'
import type { TokenPair } from '../../../main/session/token-pair.ts'

type Result = FailureCode | 'ok'

const error = (status: number, name: string): WireFault => ({
  kind: 'status',
  status,
  content: JSON.stringify({ error: name }),
})

const FAULTS: Readonly<Record<string, WireFault>> = {
  '503': { kind: 'status', status: 503 },
  'a page with 403': { kind: 'status', status: 403, type: 'html' },
  'a page with 200': { kind: 'status', status: 200, type: 'html' },
  'a redirect': { kind: 'redirect', location: 'https://evil.example' },
  'a reset': { kind: 'reset', work: 'undone' },
  '429': { kind: 'status', status: 429 },
  invalid_client: error(401, 'invalid_client'),
  invalid_grant: error(400, 'invalid_grant'),
  temporarily_unavailable: error(400, 'temporarily_unavailable'),
  'an unknown error': error(400, 'what_is_this'),
  'cut JSON': { kind: 'garbageJson' },
  'wrong types': { kind: 'wrongTypes' },
  'empty strings': { kind: 'emptyStrings' },
  'no fields': { kind: 'missingFields' },
  'too large': { kind: 'huge', bytes: 300_000 },
}

/** The result of every step under each fault, unless its own row differs. */
const USUAL: Readonly<Record<keyof typeof FAULTS, Result>> = {
  '503': 'unreachable',
  'a page with 403': 'unreachable',
  'a page with 200': 'unreachable',
  'a redirect': 'unreachable',
  'a reset': 'unreachable',
  '429': 'rateLimited',
  invalid_client: 'notConfigured',
  invalid_grant: 'rejected',
  temporarily_unavailable: 'unreachable',
  'an unknown error': 'malformedResponse',
  'cut JSON': 'malformedResponse',
  'wrong types': 'malformedResponse',
  'empty strings': 'malformedResponse',
  'no fields': 'malformedResponse',
  'too large': 'malformedResponse',
}

let demo: IdentityProvider
beforeEach(async () => {
  demo = await startIdentityProvider()
})
afterEach(() => demo.stop())

const options = () => ({
  authAddress: demo.address,
  providerDomain: demo.settings.domain,
  realm: demo.settings.realm,
  scope: 'openid offline_access',
  audience: demo.settings.audience,
  clientId: demo.settings.clientId,
  clientSecret: new Secret('client secret', demo.settings.clientSecret),
  http: testClient(),
})
const server = (): AuthorizationServer => createAuthorizationServer(options())
const factor = () => createSecondFactor(options())
const app = { id: 'totp|dev_1', kind: 'app' } as const

async function mfaToken(): Promise<MfaToken> {
  const { username, password: typed } = { ...ANA, username: 'ana.app' }
  const { mfaToken: token } = await createIdentityProvider(options()).login({ username, password: password(typed) })
  if (token === undefined) throw new Error('no MFA token')
  return token
}
async function callback(at: AuthorizationServer) {
  const begun = await at.authorize('http://127.0.0.1:4711/callback')
  if (!begun.ok) throw new Error(JSON.stringify(begun.failure))
  const body = new URLSearchParams({ username: ANA.username, password: ANA.password })
  const response = await fetch(begun.value.address, { method: 'POST', body, redirect: 'manual' })
  return { ...begun.value, parameters: new URL(response.headers.get('location') ?? '').searchParams }
}
async function signedIn(): Promise<{ at: AuthorizationServer; refreshToken: RefreshToken }> {
  const at = server()
  const { redeem, parameters } = await callback(at)
  const outcome: Outcome<TokenPair> = await redeem(parameters)
  const refreshToken = outcome.ok ? outcome.value.refreshToken : undefined
  if (refreshToken === undefined) throw new Error('not signed in')
  return { at, refreshToken }
}

const resultOf = (outcome: Outcome<unknown>): Result => (outcome.ok ? 'ok' : outcome.failure.code)

interface Step {
  readonly asks: ProviderOperation
  /** Runs all steps before this one; its answer is the step under test. */
  readonly prepare: () => Promise<() => Promise<Result>>
  /** The results that differ from the usual ones. */
  readonly but?: Readonly<Record<string, Result>>
}

const STEPS: Readonly<Record<string, Step>> = {
  'listing authenticators': {
    asks: 'authenticators',
    prepare: async () => {
      const token = await mfaToken()
      return async () => resultOf(await factor().authenticators(token))
    },
  },
  'asking for a proof': {
    asks: 'challenge',
    prepare: async () => {
      const token = await mfaToken()
      return async () => resultOf(await factor().challenge(token, app))
    },
  },
  'proving a code': {
    asks: 'token',
    prepare: async () => {
      const token = await mfaToken()
      const code = new Secret('code', DEMO_CODES.app)
      return async () => {
        const answer = await factor().verify(token, { kind: 'shownCode', code })
        return answer.kind === 'failure' ? answer.failure.code : 'ok'
      }
    },
  },
  'reading the provider’s configuration': {
    asks: 'metadata',
    prepare: async () => async () => resultOf(await server().authorize('http://127.0.0.1:4711/callback')),
    but: { invalid_grant: 'malformedResponse' },
  },
  'exchanging a code of the browser': {
    asks: 'token',
    prepare: async () => {
      const { redeem, parameters } = await callback(server())
      return async () => resultOf(await redeem(parameters))
    },
  },
  'a refresh': {
    asks: 'token',
    prepare: async () => {
      const { at, refreshToken } = await signedIn()
      return async () => resultOf(await at.refresh(refreshToken))
    },
    but: { invalid_grant: 'sessionEnded' },
  },
  'a revocation': {
    asks: 'revoke',
    prepare: async () => {
      const { at, refreshToken } = await signedIn()
      return async () => resultOf(await at.revoke(refreshToken))
    },
    // The answer of this step is empty, so its content can't be wrong.
    but: {
      invalid_grant: 'sessionEnded',
      'cut JSON': 'ok',
      'wrong types': 'ok',
      'empty strings': 'ok',
      'no fields': 'ok',
      'too large': 'ok',
    },
  },
}

describe.each(Object.entries(STEPS))('%s', (_, { asks, prepare, but = {} }) => {
  it.each(Object.entries(FAULTS))('%s', async (name, fault) => {
    const act = await prepare()
    demo.inject(asks, fault, { times: Number.POSITIVE_INFINITY })
    expect(await act()).toBe(but[name] ?? USUAL[name])
  })

  it('works without a fault', async () => {
    expect(await (await prepare())()).toBe('ok')
  })
})
