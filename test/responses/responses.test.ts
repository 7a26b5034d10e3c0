/** A real server sends each row's response to the real HTTP client. The outcome must be the one in the row. */
import { afterAll, expect, it } from 'vitest'
import type { Failure, Outcome } from '../../contract/failures.ts'
import { accessToken, password, refreshToken, Secret } from '../../main/base/secret.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { BrowserAuthorizationServer } from '../../main/service/authorization-server.ts'
import { createIdentityProvider, createSecondFactor } from '../../main/service/identity-provider.ts'
import type { TokenPair } from '../../main/session/ports.ts'
import { expectWithout, httpServer, type Scripted, testClient } from '../support/local-servers.ts'
import { ROWS, type Row, type Step } from './rows.ts'

/** The response for each path; other paths get `next`, the current row's response. */
let answers: Record<string, Scripted> = {}
let next: Scripted = { status: 500 }
const server = await httpServer((request, response) => {
  request.resume()
  const { status, headers, body } = answers[request.url ?? ''] ?? next
  response.writeHead(status, headers).end(body)
})
const address = `http://127.0.0.1:${server.port}`
afterAll(server.stop)

const SENT = ['quiet harbour lamp', 'refresh-token-in-hand', 'client-secret-value', 'code-of-the-callback']
const held = refreshToken('refresh-token-in-hand')
const mfaToken = new Secret('MFA token', 'Fe26.2*sent*token~2')
const code = new Secret('code', '135790')

const options = () => ({
  authAddress: address,
  providerDomain: 'auth0.com',
  realm: 'Username-Password-Authentication',
  scope: 'read',
  audience: 'https://data.example.com/',
  clientId: 'latchkey',
  clientSecret: new Secret('client secret', 'client-secret-value'),
  http: testClient(),
})
const CREDENTIALS = { username: 'ana', password: password('quiet harbour lamp') }
const service = () => createAuthService({ baseAddress: address, http: testClient() })
const provider = () => createIdentityProvider(options())
const factors = () => createSecondFactor(options())
const browser = () => new BrowserAuthorizationServer(options())

const CALLBACK = 'http://127.0.0.1:4711/callback'
const METADATA = '/.well-known/openid-configuration'
const metadata = (): Scripted => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    issuer: address,
    authorization_endpoint: `${address}/sign-in`,
    token_endpoint: `${address}/token`,
    revocation_endpoint: `${address}/revoke`,
  }),
})

const failed = ({ code: name, problem }: Failure) => (problem === undefined ? name : `${name}: ${problem}`)
const told = <T>(outcome: Outcome<T>, success: (value: T) => string) =>
  outcome.ok ? success(outcome.value) : failed(outcome.failure)
const tokens = ({ refreshToken: token }: TokenPair) => (token === undefined ? 'tokens, no refresh token' : 'tokens')
const done = () => 'done'

async function say<T>(asked: Promise<Outcome<T>>, success: (value: T) => string): Promise<readonly [string, unknown]> {
  const outcome = await asked
  return [told(outcome, success), outcome]
}

function known(): BrowserAuthorizationServer {
  answers = { [METADATA]: metadata() }
  return browser()
}

const STEPS: { readonly [S in Step]: () => Promise<readonly [string, unknown]> } = {
  login: () => say(service().login(CREDENTIALS), tokens),
  refresh: () => say(service().refresh(held), tokens),
  logout: () => say(service().logout(accessToken('access.token.in-hand'), held), done),
  async realm() {
    const outcome = await provider().login(CREDENTIALS)
    return [`${told(outcome, tokens)}${'mfaToken' in outcome ? ', mfa token' : ''}`, outcome]
  },
  realmRefresh: () => say(provider().refresh(held), tokens),
  authenticators: () =>
    say(factors().authenticators(mfaToken), (list) =>
      list.map(({ kind, label = '' }) => `${kind} ${label}`.trim()).join(', '),
    ),
  challenge: () =>
    say(factors().challenge(mfaToken, { id: 'sms|1', kind: 'textMessage' }), (found) =>
      'isTyped' in found && found.isTyped ? `${found.kind}, typed` : found.kind,
    ),
  async verify() {
    const answer = await factors().verify(mfaToken, { kind: 'recoveryCode', code })
    if (answer.kind === 'pending') return [answer.slowDown ? 'pending, slower' : 'pending', answer]
    if (answer.kind === 'failure') return [failed(answer.failure), answer]
    return [`${tokens(answer.tokens)}${answer.recoveryCode ? ', new recovery code' : ''}`, answer]
  },
  discovery() {
    answers = {}
    return say(browser().authorize(CALLBACK), ({ address }) => address.pathname)
  },
  async redeem() {
    const begun = await known().authorize(CALLBACK)
    if (!begun.ok) throw new Error(failed(begun.failure))
    const state = begun.value.address.searchParams.get('state') ?? ''
    return say(begun.value.redeem(new URLSearchParams({ code: 'code-of-the-callback', state })), tokens)
  },
  renew: () => say(known().refresh(held), tokens),
  revoke: () => say(known().revoke(held), done),
}

const scripted = ({
  status,
  headers,
  body,
  encoding,
}: Pick<Row, 'status' | 'headers' | 'body' | 'encoding'>): Scripted => ({
  status,
  headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
  body: typeof body === 'string' ? Buffer.from(body, encoding) : JSON.stringify(body),
})

const CASES = ROWS.flatMap((row) => row.steps.map((step) => ({ ...row, step })))

it.each(CASES)(
  '$from: $step answered with $status becomes “$becomes” ($source)',
  async ({ step, becomes, says, ...row }) => {
    next = scripted(row)
    const [what, outcome] = await STEPS[step]()
    expect(what).toBe(becomes)
    if (says !== undefined) expect(outcome).toMatchObject(quoting(outcome, says))
    expectWithout(outcome, SENT)
  },
)

const quoting = (outcome: unknown, says: string) => {
  const failure = { serverText: expect.stringContaining(says) }
  return typeof outcome === 'object' && outcome !== null && 'failure' in outcome ? { failure } : {}
}
