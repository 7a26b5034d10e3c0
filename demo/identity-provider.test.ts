import { afterEach, expect, test } from 'vitest'
import { type IdentityProvider, type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts'
import { claimsOf, post } from './test-client.ts'
import { ANA } from './users.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const running: IdentityProvider[] = []
let time = NOON

async function start(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  time = NOON
  const provider = await startIdentityProvider({ now: () => time, ...options })
  running.push(provider)
  return provider
}

const fields = ({ settings }: IdentityProvider) => ({
  username: ANA.username,
  password: ANA.password,
  grant_type: 'http://identity.example/oauth/grant-type/password-realm',
  realm: 'Username-Password-Authentication',
  scope: 'openid offline_access',
  audience: settings.audience,
  client_id: settings.clientId,
  client_secret: settings.clientSecret,
})

const ask = (provider: IdentityProvider, changes: Record<string, unknown> = {}) =>
  post(provider.address, '/oauth/token', { ...fields(provider), ...changes })

const refresh = (provider: IdentityProvider, refresh_token: string, changes: Record<string, unknown> = {}) => {
  const { client_id, client_secret } = fields(provider)
  return post(provider.address, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token,
    client_id,
    client_secret,
    ...changes,
  })
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.stop()))
})

test('a password-realm request with all its fields gets an answer as in RFC 6749 section 5.1', async () => {
  const provider = await start({ tokenLifetime: 5 })
  const { status, headers, json } = await ask(provider)
  expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache'])
  expect(json).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 5,
    scope: 'openid offline_access',
    refresh_token: expect.any(String),
  })
  expect(claimsOf(json.access_token)).toMatchObject({
    iss: 'https://identity.example/',
    aud: provider.settings.audience,
    sub: 'demo|ana',
    iat: NOON / 1000,
    exp: NOON / 1000 + 5,
  })
  expect(provider.issuedSecrets().toSorted()).toEqual([json.access_token, json.refresh_token].toSorted())
})

test.each([
  ['offline_access', 'openid', false],
  ['offline_access', '', false],
  ['offline_access', 'openid read:offline_access', false],
  ['offline_access', 'openid offline_access', true],
  ['always', 'openid', true],
  ['never', 'offline_access', false],
] as const)('with refreshTokens %s, scope %j yields a refresh token: %s', async (refreshTokens, scope, expected) => {
  const provider = await start({ refreshTokens })
  const { status, json } = await ask(provider, { scope })
  expect([status, 'refresh_token' in json]).toEqual([200, expected])
  expect(provider.issuedSecrets().some((secret) => provider.isRefreshTokenValid(secret))).toBe(expected)
})

test('a refresh token can be exchanged once, and its reuse after the grace period revokes its family', async () => {
  const provider = await start()
  const { refresh_token: first } = (await ask(provider)).json
  const { status, json } = await refresh(provider, first)
  expect(status).toBe(200)
  expect(Object.keys(json)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token'])
  time += 29_999
  expect((await refresh(provider, first)).status).toBe(200)
  expect(provider.replayCount(first)).toBe(1)
  time += 1
  const reuse = await refresh(provider, first)
  expect([reuse.status, reuse.json.error]).toEqual([403, 'invalid_grant'])
  expect((await refresh(provider, json.refresh_token)).status).toBe(403)
})

test.each([
  ['a wrong password', { password: 'wrong' }, 403, 'invalid_grant'],
  ['an unknown user', { username: 'nobody' }, 403, 'invalid_grant'],
  ['a wrong client secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ['an unknown client', { client_id: 'wrong' }, 401, 'invalid_client'],
  ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['another realm', { realm: 'elsewhere' }, 400, 'invalid_request'],
  ['another audience', { audience: 'https://elsewhere.example/' }, 403, 'access_denied'],
  ['an extra field', { connection: 'x' }, 400, 'invalid_request'],
  ['a field of another type', { scope: ['openid'] }, 400, 'invalid_request'],
  ...['username', 'password', 'grant_type', 'realm', 'scope', 'audience', 'client_id', 'client_secret'].map(
    (field) => [`no ${field}`, { [field]: undefined }, 400, 'invalid_request'] as const,
  ),
] as const)('%s is refused as in RFC 6749 section 5.2', async (_, changes, status, error) => {
  const provider = await start()
  const reply = await ask(provider, changes)
  expect([reply.status, reply.json]).toEqual([status, { error, error_description: expect.any(String) }])
  expect(provider.issuedSecrets()).toEqual([])
})

test.each([
  ['ana.mfa', 403, 'mfa_required'],
  ['ana.locked', 429, 'too_many_attempts'],
  ['ana.unauthorized', 403, 'unauthorized_client'],
  ['ana.client', 401, 'invalid_client'],
])('the demo user %s gets %i %s after a correct password', async (username, status, error) => {
  const provider = await start()
  expect((await ask(provider, { username, password: 'wrong' })).json.error).toBe('invalid_grant')
  const reply = await ask(provider, { username })
  expect([reply.status, reply.json]).toMatchObject([status, { error, error_description: expect.any(String) }])
})

test('a refresh also requires the client’s credentials, and a refused refresh spends no token', async () => {
  const provider = await start({ grace: 0 })
  const { refresh_token } = (await ask(provider)).json
  expect((await refresh(provider, refresh_token, { client_secret: 'wrong' })).status).toBe(401)
  expect((await refresh(provider, refresh_token, { client_secret: undefined })).status).toBe(400)
  expect((await refresh(provider, refresh_token)).status).toBe(200)
})

test('the request log has the kinds of credentials, but not their values', async () => {
  const provider = await start()
  const { refresh_token } = (await ask(provider)).json
  await refresh(provider, refresh_token)
  expect(provider.requests.map(({ credentials }) => credentials)).toEqual([
    ['password', 'clientSecret'],
    ['refreshToken', 'clientSecret'],
  ])
  const text = JSON.stringify(provider.requests)
  for (const secret of [...provider.issuedSecrets(), ANA.password, provider.settings.clientSecret]) {
    expect(text).not.toContain(secret)
  }
})
