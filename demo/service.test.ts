import { afterEach, expect, test } from 'vitest'
import { otherAddressesOf } from '../test/support/other-addresses.ts'
import { type DemoService, type DemoServiceOptions, startDemoService } from './service.ts'
import { basic, bearer, claimsOf, login, post, refresh, send } from './test-client.ts'
import { ANA } from './users.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const running: DemoService[] = []
let time = NOON

async function start(options: DemoServiceOptions = {}): Promise<DemoService> {
  time = NOON
  const service = await startDemoService({ now: () => time, ...options })
  running.push(service)
  return service
}

const signIn = async ({ address }: DemoService) => (await login(address, ANA.username, ANA.password)).json

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()))
})

test('login returns a refresh token, and an access token with the documented claims', async () => {
  const service = await start({ tokenLifetime: 5 })
  const { status, headers, json } = await login(service.address, ANA.username, ANA.password)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('date')).toBe(new Date(NOON).toUTCString())
  expect(Object.keys(json)).toEqual(['token', 'refreshToken'])
  expect(claimsOf(json.token)).toEqual({
    sub: 'demo|ana',
    preferred_username: 'ana',
    name: 'Ana Duarte',
    iat: NOON / 1000,
    exp: NOON / 1000 + 5,
    jti: expect.any(String),
  })
})

test('login refuses users of the identity provider, and tells them to use single sign-on', async () => {
  const other = { username: 'ana.app', password: ANA.password, name: 'Ana with an app' }
  const { address } = await start({ otherUsers: [other] })
  expect(await login(address, other.username, other.password)).toMatchObject({
    status: 401,
    json: { message: 'You can only sign in with single sign-on.' },
  })
})

test('login without the right credentials gets 401 with a Basic challenge', async () => {
  const { address } = await start()
  const refused = [
    await login(address, 'ana', 'wrong'),
    await login(address, 'nobody', ANA.password),
    await send(address, '/auth/login'),
    await send(address, '/auth/login', { headers: bearer('x') }),
  ]
  for (const { status, headers, json } of refused) {
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Basic realm="Latchkey demo", charset="UTF-8"')
    expect(json).toEqual({ error: expect.any(String), message: expect.any(String) })
  }
})

test.each([
  ['Latin-1 instead of UTF-8', Buffer.from('zoë:secret', 'latin1').toString('base64')],
  ['no colon', Buffer.from('ana').toString('base64')],
  ['a control character', Buffer.from('ana:a\nb').toString('base64')],
  ['not Base64', '*'],
  ['nothing', ''],
])('Basic credentials that break RFC 7617 are a bad request: %s', async (_, encoded) => {
  const { address } = await start()
  const { status, json } = await send(address, '/auth/login', { headers: { Authorization: `Basic ${encoded}` } })
  expect(status).toBe(400)
  expect(json.error).toBe('invalid_request')
})

test('without a grace period, reusing a refresh token revokes its whole family', async () => {
  const service = await start({ grace: 0 })
  const bystander = await signIn(service)
  const first = await signIn(service)
  const { json: second } = await refresh(service.address, first.refreshToken)
  const { json: third } = await refresh(service.address, second.refreshToken)
  expect(service.isRefreshTokenValid(third.refreshToken)).toBe(true)

  const reuse = await refresh(service.address, first.refreshToken)
  expect([reuse.status, reuse.json.error]).toEqual([401, 'invalid_refresh_token'])
  expect((await refresh(service.address, third.refreshToken)).status).toBe(401)
  expect((await refresh(service.address, bystander.refreshToken)).status).toBe(200)
})

test('reusing a refresh token yields tokens in the grace period, and later revokes its family', async () => {
  const service = await start()
  const first = await signIn(service)
  const { json: second } = await refresh(service.address, first.refreshToken)
  time += 29_999
  const { status, json: sibling } = await refresh(service.address, first.refreshToken)
  expect(status).toBe(200)
  expect(sibling.refreshToken).not.toBe(second.refreshToken)
  expect(service.familyOf(sibling.refreshToken)).toBe(service.familyOf(second.refreshToken))
  expect(service.isRefreshTokenValid(second.refreshToken)).toBe(true)

  time += 1
  expect(service.isRefreshTokenValid(first.refreshToken)).toBe(false)
  expect((await refresh(service.address, first.refreshToken)).status).toBe(401)
  expect(service.isRefreshTokenValid(second.refreshToken)).toBe(false)
  expect(service.isRefreshTokenValid(sibling.refreshToken)).toBe(false)
})

test('logout revokes the token’s whole family, and no other', async () => {
  const service = await start()
  const other = await signIn(service)
  const first = await signIn(service)
  const { json: second } = await refresh(service.address, first.refreshToken)
  const { status, json } = await post(
    service.address,
    '/auth/logout',
    { refreshToken: first.refreshToken },
    bearer(second.token),
  )
  expect([status, json]).toEqual([200, {}])
  expect((await refresh(service.address, second.refreshToken)).status).toBe(401)
  expect((await refresh(service.address, other.refreshToken)).status).toBe(200)
})

test.each(['/auth/logout', '/auth/changePassword'])(
  '%s requires an access token that has not expired',
  async (path) => {
    const service = await start({ tokenLifetime: 5 })
    const { token, refreshToken } = await signIn(service)
    const body = path === '/auth/logout' ? { refreshToken } : { password: 'eight characters' }
    const attempt = (headers: Record<string, string>) => post(service.address, path, body, headers)

    const none = await attempt({})
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Latchkey demo"'])
    expect((await attempt(bearer(`${token}x`))).status).toBe(401)
    expect((await attempt(bearer(refreshToken))).status).toBe(401)
    expect((await attempt(basic(ANA.username, ANA.password))).status).toBe(401)
    time += 5000
    const late = await attempt(bearer(token))
    expect([late.status, late.json.error]).toEqual([401, 'invalid_token'])
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
    time -= 1
    expect((await attempt(bearer(token))).status).toBe(200)
  },
)

test('after a password change, the new password works, and the old one is refused', async () => {
  const service = await start()
  const { token, refreshToken } = await signIn(service)
  const { status, json } = await post(
    service.address,
    '/auth/changePassword',
    { password: 'grüner Hafen' },
    bearer(token),
  )
  expect([status, json]).toEqual([200, {}])
  expect((await login(service.address, ANA.username, ANA.password)).status).toBe(401)
  expect((await login(service.address, ANA.username, 'grüner Hafen')).status).toBe(200)
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
})

test.each([
  ['another content type', { headers: { 'Content-Type': 'text/plain' }, body: '{"refreshToken":"x"}' }, 415],
  ['no content type', { headers: { 'Content-Type': '' }, body: '{"refreshToken":"x"}' }, 415],
  ['a body that is not JSON', { body: 'refreshToken=x' }, 400],
  ['a body that is not UTF-8', { body: Buffer.from('{"refreshToken":"\xff"}', 'latin1') }, 400],
  ['an empty body', { body: '' }, 400],
  ['a body that isn’t an object', { body: '["x"]' }, 400],
  ['a missing field', { body: '{}' }, 400],
  ['an empty field', { body: '{"refreshToken":""}' }, 400],
  ['a field of another type', { body: '{"refreshToken":1}' }, 400],
  ['an extra field', { body: '{"refreshToken":"x","token":"y"}' }, 400],
  ['a body over 16 KiB', { body: JSON.stringify({ refreshToken: 'x'.repeat(16_384) }) }, 413],
] as const)('a request with %s is refused with a clear JSON error', async (_, init, expected) => {
  const { address } = await start()
  const { status, json } = await send(address, '/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...init,
  })
  expect([status, json]).toEqual([expected, { error: expect.any(String), message: expect.any(String) }])
})

test('the log of requests has no secrets', async () => {
  const service = await start()
  const { token, refreshToken } = await signIn(service)
  await post(service.address, '/auth/changePassword', { password: 'a new password' }, bearer(token))
  await post(service.address, `/auth/logout?from=${refreshToken}`, { refreshToken }, bearer(token))
  await refresh(service.address, refreshToken)
  await send(service.address, '/elsewhere')
  const log = service.requests.map(({ operation, credentials, status }) => [operation, credentials, status])
  expect(log).toEqual([
    ['login', ['basic'], 200],
    ['changePassword', ['bearer', 'password'], 200],
    ['logout', ['bearer', 'refreshToken'], 200],
    ['refresh', ['refreshToken'], 401],
    [undefined, [], 404],
  ])
  expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/auth/login', at: NOON })
  expect(service.requests[0]?.headers).toContain('authorization')
  const text = JSON.stringify(service.requests)
  for (const secret of [
    ...service.issuedSecrets(),
    ANA.password,
    'a new password',
    basic('ana', ANA.password).Authorization,
  ]) {
    expect(text).not.toContain(secret)
  }
})

test.each([
  ['/v1/tables', {}, 'application/json', '[{"table":"orders"'],
  ['/v1/tables', { accept: 'application/json, text/csv' }, 'application/json', '[{"table":"orders"'],
  [
    '/v1/tables',
    { accept: 'text/csv, */*' },
    'text/csv; charset=utf-8',
    'table,rows,updated\r\norders,128412,2026-01-05\r\n',
  ],
  ['/v1/tables.csv', {}, 'text/csv; charset=utf-8', 'table,rows,updated\r\norders,128412,2026-01-05\r\n'],
])('GET %s with the headers %j returns %s', async (path, headers, type, begin) => {
  const service = await start()
  const { token } = await signIn(service)
  const answer = await fetch(`${service.address}${path}`, { headers: { ...headers, ...bearer(token) } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
  expect((await answer.text()).slice(0, begin.length)).toBe(begin)
  expect((await fetch(`${service.address}${path}`)).status).toBe(401)
})

test('the service listens only on 127.0.0.1', async () => {
  const { port } = await start()
  expect(await otherAddressesOf(port)).toEqual([])
})
