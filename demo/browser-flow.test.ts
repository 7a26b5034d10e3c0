/** The demo's browser sign-in, with Latchkey's own client and with requests that the demo must refuse. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserAuthorizationServer } from '../main/service/authorization-server.ts'
import type { AuthorizationRequest } from '../main/session/ports.ts'
import { testClient } from '../test/support/local-servers.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { ANA } from './users.ts'

const REDIRECT = 'http://127.0.0.1:4711/callback/127.0.0.1:5000'
let provider: IdentityProvider
beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider.stop())

const server = () =>
  new BrowserAuthorizationServer({
    authAddress: provider.address,
    clientId: provider.settings.clientId,
    scope: 'openid offline_access',
    http: testClient(),
  })
async function begin(): Promise<AuthorizationRequest> {
  const outcome = await server().authorize(REDIRECT)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
  return outcome.value
}
/** Sends the page's form, as a browser does. */
const submit = (address: URL, fields: Record<string, string>) =>
  fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const callbackIn = (response: Response) => new URL(response.headers.get('location') ?? '').searchParams

test('a user can sign in on the provider’s page, and the session can be refreshed and revoked', async () => {
  const authorization = await begin()
  expect(await (await fetch(authorization.address)).text()).toContain('Demo provider')
  const wrong = await submit(authorization.address, { username: 'ana', password: 'wrong' })
  expect(await wrong.text()).toContain('don’t match')
  const { username, password } = ANA
  const callback = callbackIn(await submit(authorization.address, { username, password }))
  expect(authorization.isOurs(callback)).toBe(true)
  const outcome = await authorization.redeem(callback)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
  expect(outcome.value.identity).toMatchObject({ sub: 'demo|ana', name: ANA.name })
  const { refreshToken } = outcome.value
  if (refreshToken === undefined) throw new Error('no refresh token')
  const refreshed = await server().refresh(refreshToken)
  const next = refreshed.ok ? refreshed.value.refreshToken : undefined
  if (next === undefined) throw new Error('not refreshed')
  expect(await server().revoke(next)).toMatchObject({ ok: true })
  expect(await server().refresh(next)).toMatchObject({ failure: { code: 'sessionEnded' } })
})

test('an authorization code works only once, and only with its own PKCE verifier', async () => {
  const { username, password } = ANA
  const [theirs, ours] = [await begin(), await begin()]
  const stolen = callbackIn(await submit(theirs.address, { username, password }))
  stolen.set('state', ours.address.searchParams.get('state') ?? '')
  expect(await ours.redeem(stolen)).toMatchObject({ failure: { code: 'rejected' } })
  const callback = callbackIn(await submit(ours.address, { username, password }))
  expect(await ours.redeem(callback)).toMatchObject({ ok: true })
  expect(await ours.redeem(callback)).toMatchObject({ failure: { code: 'rejected' } })
})

test.each([
  ['redirect_uri', 'https://evil.example/callback'],
  ['client_id', 'nobody'],
  ['code_challenge_method', 'plain'],
  ['response_type', 'token'],
])('a request with a wrong %s is refused', async (name, value) => {
  const { address } = await begin()
  address.searchParams.set(name, value)
  expect((await fetch(address)).status).toBe(400)
  expect((await submit(address, { username: ANA.username, password: ANA.password })).status).toBe(400)
})
