import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, test } from 'vitest'
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

test('login returns a token pair whose access token has the documented claims', async () => {
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

test('the sample data requires a valid access token, and has the same fields in every row', async () => {
  const service = await start({ tokenLifetime: 5 })
  const { token, refreshToken } = await signIn(service)
  const read = (headers: Record<string, string> = {}) => send(service.address, '/v1/tables', { headers })
  expect((await read()).status).toBe(401)
  expect((await read(bearer(refreshToken))).json.error).toBe('invalid_token')
  const { status, json } = await read(bearer(token))
  expect(status).toBe(200)
  expect(json).toHaveLength(4)
  for (const row of json) {
    expect(row).toEqual({ table: expect.any(String), rows: expect.any(Number), updated: expect.any(String) })
  }
  time += 5_000
  expect((await read(bearer(token))).status).toBe(401)
})

test('two tokens issued in the same second differ', async () => {
  const service = await start()
  const [one, two] = [await signIn(service), await signIn(service)]
  expect(one.token).not.toBe(two.token)
  expect(service.familyOf(one.refreshToken)).not.toBe(service.familyOf(two.refreshToken))
})

test('a login with a wrong password, an unknown user or no credentials gets 401 with a Basic challenge', async () => {
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

test('Basic credentials are UTF-8 in any normalization form, and a password may contain colons', async () => {
  const user = { username: 'zoë', password: 'ключ:схема:🗝', name: 'Zoë' }
  const { address } = await start({ users: [user] })
  expect((await login(address, user.username, user.password)).status).toBe(200)
  expect((await login(address, user.username.normalize('NFD'), user.password)).status).toBe(200)
  expect((await login(address, user.username, 'ключ')).status).toBe(401)
})

test.each([
  ['Latin-1 instead of UTF-8', Buffer.from('zoë:secret', 'latin1').toString('base64')],
  ['no colon', Buffer.from('ana').toString('base64')],
  ['a control character', Buffer.from('ana:a\nb').toString('base64')],
  ['not Base64', '*'],
  ['nothing', ''],
])('Basic credentials that break RFC 7617 (%s) are a bad request, not a wrong password', async (_, encoded) => {
  const { address } = await start()
  const { status, json } = await send(address, '/auth/login', { headers: { Authorization: `Basic ${encoded}` } })
  expect(status).toBe(400)
  expect(json.error).toBe('invalid_request')
})

test('a refresh token is exchanged for another token pair of the same family and subject', async () => {
  const service = await start()
  const first = await signIn(service)
  const { status, json: second } = await refresh(service.address, first.refreshToken)
  expect(status).toBe(200)
  expect(Object.keys(second)).toEqual(['token', 'refreshToken'])
  expect(second.refreshToken).not.toBe(first.refreshToken)
  expect(claimsOf(second.token).sub).toBe(claimsOf(first.token).sub)
  expect(service.familyOf(second.refreshToken)).toBe(service.familyOf(first.refreshToken))
})

test('without a grace period a refresh token works once, and its reuse revokes the whole family', async () => {
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

test('in the grace period a spent token yields another pair; later, its reuse revokes the whole family', async () => {
  const service = await start()
  const first = await signIn(service)
  const { json: second } = await refresh(service.address, first.refreshToken)
  time += 29_999
  const { status, json: sibling } = await refresh(service.address, first.refreshToken)
  expect(status).toBe(200)
  expect(sibling.refreshToken).not.toBe(second.refreshToken)
  expect(service.familyOf(sibling.refreshToken)).toBe(service.familyOf(second.refreshToken))
  expect(service.isRefreshTokenValid(second.refreshToken)).toBe(true)

  // The grace period begins with the first exchange. The second exchange did not extend it.
  time += 1
  expect(service.isRefreshTokenValid(first.refreshToken)).toBe(false)
  expect((await refresh(service.address, first.refreshToken)).status).toBe(401)
  expect(service.isRefreshTokenValid(second.refreshToken)).toBe(false)
  expect(service.isRefreshTokenValid(sibling.refreshToken)).toBe(false)
})

test('without a grace period, only one of two simultaneous exchanges succeeds', async () => {
  const service = await start({ grace: 0 })
  const { refreshToken } = await signIn(service)
  const replies = await Promise.all([refresh(service.address, refreshToken), refresh(service.address, refreshToken)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('an unknown refresh token is refused and revokes nothing', async () => {
  const service = await start()
  const { refreshToken } = await signIn(service)
  expect((await refresh(service.address, 'never issued')).status).toBe(401)
  expect(service.familyOf('never issued')).toBeUndefined()
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
})

test('a refresh with an Authorization header is refused, and doesn’t spend the token', async () => {
  const service = await start({ grace: 0 })
  const { token, refreshToken } = await signIn(service)
  const { status } = await post(service.address, '/auth/refresh', { refreshToken }, bearer(token))
  expect(status).toBe(400)
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
})

test('logout revokes the token’s whole family, and no other family', async () => {
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

test('logout with a revoked or unknown token succeeds, so that it can be repeated', async () => {
  const { address, ...service } = await start()
  const { token, refreshToken } = await signIn({ address, ...service })
  for (const each of [refreshToken, refreshToken, 'never issued']) {
    expect((await post(address, '/auth/logout', { refreshToken: each }, bearer(token))).status).toBe(200)
  }
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

test('after a password change, the new password works and the old one doesn’t', async () => {
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

test('revokeOnPasswordChange ends every session of that user, and no one else’s', async () => {
  const users = [ANA, { username: 'other', password: 'other password', name: 'Other' }]
  const service = await start({ revokeOnPasswordChange: true, users })
  const [here, there] = [await signIn(service), await signIn(service)]
  const { json: other } = await login(service.address, 'other', 'other password')
  await post(service.address, '/auth/changePassword', { password: 'a new password' }, bearer(here.token))
  const sessions = [here, there, other].map(({ refreshToken }) => service.isRefreshTokenValid(refreshToken))
  expect(sessions).toEqual([false, false, true])
})

test.each([
  ['', 'password_empty'],
  ['short', 'password_too_short'],
  ['🗝🗝🗝🗝', 'password_too_short'],
  ['line\nbreak', 'password_inexpressible'],
])('the new password %j is refused with a reason (%s), and the old one keeps working', async (password, error) => {
  const service = await start()
  const { token } = await signIn(service)
  const { status, json } = await post(service.address, '/auth/changePassword', { password }, bearer(token))
  expect([status, json]).toEqual([400, { error, message: expect.stringMatching(/^The password must/) }])
  expect((await signIn(service)).token).toBeDefined()
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

test('a login with a body is refused', async () => {
  const { port } = await start()
  const { Authorization } = basic(ANA.username, ANA.password)
  const head = `GET /auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${Authorization}\r\n`
  const socket = connect(port, '127.0.0.1')
  socket.end(`${head}Content-Length: 2\r\n\r\n{}`)
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toContain('HTTP/1.1 400 ')
})

test.each([
  ['POST', '/auth/login', 'GET'],
  ['GET', '/auth/logout', 'POST'],
  ['PUT', '/auth/refresh', 'POST'],
  ['DELETE', '/auth/changePassword', 'POST'],
])('%s %s gets 405 with the allowed method %s', async (method, path, allow) => {
  const { address } = await start()
  const { status, headers, json } = await send(address, path, { method })
  expect([status, headers.get('allow'), json.error]).toEqual([405, allow, 'method_not_allowed'])
})

test('an unknown path gets 404 in JSON', async () => {
  const { address } = await start()
  const { status, json } = await send(address, '/auth')
  expect([status, json.error]).toEqual([404, 'not_found'])
})

test('the request log has operations, headers and kinds of credentials, but no secrets', async () => {
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

test('the list of issued secrets has every token', async () => {
  const service = await start()
  const first = await signIn(service)
  const { json: second } = await refresh(service.address, first.refreshToken)
  const expected = [first.token, first.refreshToken, second.token, second.refreshToken]
  expect(service.issuedSecrets().toSorted()).toEqual(expected.toSorted())
})

test('a refresh token that is sent again after its answer arrived counts as a replay', async () => {
  const service = await start()
  const { refreshToken } = await signIn(service)
  expect([service.refreshCount(refreshToken), service.replayCount()]).toEqual([0, 0])
  await refresh(service.address, refreshToken)
  expect([service.refreshCount(refreshToken), service.replayCount()]).toEqual([1, 0])
  await refresh(service.address, refreshToken)
  expect([service.refreshCount(refreshToken), service.replayCount(), service.replayCount(refreshToken)]).toEqual([
    2, 1, 1,
  ])
})

test('a refresh token that an administrator has revoked is refused', async () => {
  const service = await start()
  const { refreshToken } = await signIn(service)
  service.revoke(refreshToken)
  expect((await refresh(service.address, refreshToken)).status).toBe(401)
})

test('the service listens only on the address 127.0.0.1', async () => {
  const { port } = await start()
  const outside = Object.values(networkInterfaces())
    .flat()
    .filter((each) => each && !each.internal && each.family === 'IPv4')
    .map((each) => each?.address ?? '')
  // Only on Linux does the loopback interface have all of 127.0.0.0/8.
  const inside = process.platform === 'linux' ? ['::1', '127.0.0.2'] : ['::1']
  for (const host of [...outside, ...inside]) {
    const reached = await new Promise((resolve) => {
      const socket = connect(port, host)
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => socket.destroy())
    })
    expect([host, reached]).toEqual([host, false])
  }
})

test('a paused service refuses connections; after it resumes, its old address and tokens work', async () => {
  const service = await start()
  const { refreshToken } = await signIn(service)
  await service.pause()
  await service.pause()
  await expect(refresh(service.address, refreshToken)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await service.resume()
  await service.resume()
  expect((await refresh(service.address, refreshToken)).status).toBe(200)
})

test('if the port is in use, the service fails to start instead of choosing another port', async () => {
  const { port } = await start()
  await expect(startDemoService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
