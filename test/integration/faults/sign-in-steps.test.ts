/** The requests that prepare a further step of a sign-in. The fault matrix has the requests that return tokens. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FailureCode, Outcome } from '../../../contract/failures.ts'
import type { WireFault } from '../../../demo/faults.ts'
import {
  type IdentityProvider,
  type ProviderOperation,
  startIdentityProvider,
} from '../../../demo/identity-provider.ts'
import { ANA } from '../../../demo/users.ts'
import { password, Secret } from '../../../main/base/secret.ts'
import { BrowserAuthorizationServer } from '../../../main/service/authorization-server.ts'
import { createIdentityProvider, createSecondFactor } from '../../../main/service/identity-provider.ts'
import type { MfaToken } from '../../../main/session/ports.ts'
import { testClient } from '../../support/local-servers.ts'

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

/** The failure of a step under each fault, unless the step's `succeeds` lists the fault. */
const USUAL: Readonly<Record<keyof typeof FAULTS, FailureCode>> = {
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

async function mfaToken(): Promise<MfaToken> {
  const { password: typed } = ANA
  const login = { username: 'ana.app', password: password(typed) }
  const { mfaToken: token } = await createIdentityProvider(options()).login(login)
  if (token === undefined) throw new Error('no MFA token')
  return token
}

interface Step {
  readonly asks: ProviderOperation
  readonly run: () => Promise<Outcome<unknown>>
  /** Faults under which the step succeeds all the same. */
  readonly succeeds?: readonly string[]
}

const STEPS: Readonly<Record<string, Step>> = {
  'listing authenticators': {
    asks: 'authenticators',
    run: async () => createSecondFactor(options()).authenticators(await mfaToken()),
  },
  'requesting a proof': {
    asks: 'challenge',
    run: async () => createSecondFactor(options()).challenge(await mfaToken(), { id: 'totp|dev_1', kind: 'app' }),
  },
  'reading the provider’s configuration': {
    asks: 'metadata',
    run: () => new BrowserAuthorizationServer(options()).authorize('http://127.0.0.1:4711/callback'),
    // These answers mean that the provider has no configuration, so its usual addresses are used.
    succeeds: [
      ...['a page with 403', 'a page with 200', 'no fields'],
      ...['invalid_client', 'invalid_grant', 'an unknown error'],
    ],
  },
}

describe.each(Object.entries(STEPS))('%s', (_, { asks, run, succeeds = [] }) => {
  it.each(Object.entries(FAULTS))('%s', async (name, fault) => {
    demo.inject(asks, fault, { times: Number.POSITIVE_INFINITY })
    const expected = succeeds.includes(name) ? { ok: true } : { ok: false, failure: { code: USUAL[name] } }
    expect(await run()).toMatchObject(expected)
  })

  it('succeeds without a fault', async () => {
    expect(await run()).toMatchObject({ ok: true })
  })
})
