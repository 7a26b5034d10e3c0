import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { type GatewayRig, startGateway, upload } from '../../test/gateway/rig.ts'
import { tcpServer } from '../../test/support/local-servers.ts'
import { otherAddressesOf } from '../../test/support/other-addresses.ts'
import { ANOTHER_USER, rootOnly } from '../../test/support/systems.ts'

let rig: GatewayRig
const own = () => `Host: 127.0.0.1:${rig.port}\r\nAuthorization: ${rig.authorization}\r\n`
afterEach(() => rig.end())

const MIB = 1_024 * 1_024

const refusing =
  (...refused: readonly string[]) =>
  (request: IncomingMessage, response: ServerResponse) => {
    if (refused.some((token) => request.headers.authorization === `Bearer ${token}`)) response.writeHead(401).end()
    else request.pipe(response)
  }

it('SECURITY: the service gets the access token, path and query, but not the gateway’s password', async () => {
  rig = await startGateway({ basePath: '/v1' })
  const headers = { 'user-agent': 'Microsoft.Data.Mashup' }
  expect(await rig.ask('/v1/tables?top=10&skip=%2F', { headers })).toMatchObject({ status: 200, body: 'rows' })
  expect(rig.seen).toMatchObject([{ url: '/v1/tables?top=10&skip=%2F', headers: { authorization: 'Bearer token-1' } }])
  expect(rig.seen[0]?.headers.host).toBe(`127.0.0.1:${rig.servicePort}`)
  expect(JSON.stringify(rig.seen)).not.toContain(rig.authorization.slice(6))
  await rig.ask('/v1', { headers: { 'user-agent': 'intruder/1', authorization: '' } })
  rig.source.signOut()
  await rig.ask('/v1')
  // Only requests with the password are listed among the tools.
  expect(rig.uses).toEqual([
    ['Microsoft.Data.Mashup', 'token'],
    [undefined, 'signedOut'],
  ])
})

it.each<[string, number, string, Parameters<GatewayRig['ask']>[1]]>([
  ['no password', 401, '/v1', { headers: { authorization: '' } }],
  ['an unknown Expect header', 401, '/v1', { headers: { authorization: '', expect: 'more' } }],
  ['another host', 403, '/v1', { headers: { host: 'rebound.example' } }],
  ['the method POST', 405, '/v1', { method: 'POST', body: 'x' }],
  ['a path outside the base path', 404, '/other', {}],
])(
  'SECURITY: a request with %s gets the status %i, and doesn’t reach the service',
  async (_, status, path, question) => {
    rig = await startGateway({ basePath: '/v1' })
    const { headers, body, ...answer } = await rig.ask(path, question)
    expect(answer.status).toBe(status)
    expect(headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="Latchkey gateway (not your platform password)", charset="UTF-8"' : undefined,
    )
    expect(body).toMatch(/^[ -~]+\.\n$/)
    expect(rig.seen).toEqual([])
  },
)

describe('SECURITY: a request that two servers could read differently', () => {
  // Servers understand these headers differently: one sees a body where another sees a second request.
  it.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 38'],
    ['a length and chunks', 'Content-Length: 38\r\nTransfer-Encoding: chunked'],
    ['another coding', 'Transfer-Encoding: gzip, chunked'],
    ['a space before the colon', 'Transfer-Encoding : chunked'],
    ['a folded header', 'Transfer-Encoding:\r\n chunked'],
    ['a bare line feed', 'X: a\nTransfer-Encoding: chunked'],
  ])('with %s, the service sees at most the first request', async (_, lines) => {
    rig = await startGateway({ config: { methods: 'all' }, serve: (request, response) => request.pipe(response) })
    const smuggled = `GET /smuggled HTTP/1.1\r\n${own()}\r\n`
    const answer = await rig.raw(`POST /first HTTP/1.1\r\n${own()}${lines}\r\n\r\n0\r\n\r\n${smuggled}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(rig.seen.map(({ url }) => url).filter((url) => url !== '/first')).toEqual([])
  })

  it('after 5,000 other headers, the gateway still reads the header for the body’s length', async () => {
    rig = await startGateway()
    const smuggled = `GET /smuggled HTTP/1.1\r\n${own()}\r\n`
    const many = `${'a:\r\n'.repeat(5_000)}Content-Length: ${smuggled.length}`
    const last = `GET /last HTTP/1.1\r\n${own()}Connection: close\r\n\r\n`
    await rig.raw(`GET /first HTTP/1.1\r\n${own()}${many}\r\n\r\n${smuggled}${last}`)
    expect(rig.seen.map(({ url }) => url)).toEqual(['/first', '/last'])
  })

  it('a chunked request with a trailer and the next request on its connection both arrive with their bodies', async () => {
    rig = await startGateway({ config: { methods: 'all' }, serve: (request, response) => request.pipe(response) })
    const chunked = `POST /a HTTP/1.1\r\n${own()}Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX-Trailer: a\r\n\r\n`
    const last = `POST /b HTTP/1.1\r\n${own()}Connection: close\r\nContent-Length: 2\r\n\r\nhi`
    const answer = await rig.raw(chunked + last)
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(answer).toMatch(/\r\n\r\n3\r\nabc\r\n0[\s\S]*\r\n\r\n2\r\nhi\r\n0\r\n\r\n$/)
    expect(JSON.stringify(rig.seen)).not.toContain('X-Trailer')
  })
})

it('SECURITY: the gateway is no proxy and no tunnel', async () => {
  rig = await startGateway()
  for (const line of ['CONNECT evil.example:443', 'OPTIONS *'])
    expect(await rig.raw(`${line} HTTP/1.1\r\n${own()}\r\n`)).toMatch(/^HTTP\/1\.1 40[05]/)
  expect(rig.seen).toEqual([])
  rig.service.on('upgrade', (_, socket) => socket.destroy())
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMA' }
  expect((await rig.ask('/', { headers })).status).toBe(200)
  expect(rig.seen[0]?.headers).not.toHaveProperty('upgrade')
})

describe('a request whose token the service rejects', () => {
  const renewing = async (answer: Promise<unknown>) => {
    await expect.poll(() => rig.source.refreshes).toBe(1)
    rig.source.grant(3_600_000)
    return answer
  }

  it.each([
    ['GET', ''],
    ['POST', 'x'.repeat(MIB)],
  ])('%s is sent again once, with the renewed token and the same body', async (method, body) => {
    rig = await startGateway({ config: { methods: 'all' }, serve: refusing('token-1') })
    const answer = await renewing(rig.ask('/', { method, body }))
    expect(answer).toMatchObject({ status: 200, body })
    expect(rig.seen.map((each) => each.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  it('if the body is too long to be sent again, the tool gets a 502 that says so', async () => {
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void request.resume().on('end', () => response.writeHead(401).end())
    rig = await startGateway({ config: { methods: 'all' }, serve })
    const answer = await renewing(rig.ask('/', { method: 'POST', body: Buffer.alloc(2 * MIB) }))
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('send the request again') })
  })

  it('a body that is still arriving when the token is rejected reaches the service whole', async () => {
    rig = await startGateway({ config: { methods: 'all' }, serve: refusing('token-1') })
    const sent = upload(rig)
    const answered = once(sent, 'response')
    sent.write('a'.repeat(10_000))
    await expect.poll(() => rig.source.refreshes).toBe(1)
    sent.end('b'.repeat(3 * MIB))
    await wait(200)
    rig.source.grant(3_600_000)
    const [answer] = (await answered) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    const body = await text(answer)
    expect([body.length, body.slice(9_998, 10_002)]).toEqual([10_000 + 3 * MIB, 'aabb'])
  })

  it('if the new token is rejected, too, the tool gets 502, not 401', async () => {
    rig = await startGateway({ serve: refusing('token-1', 'token-2') })
    const answer = await renewing(rig.ask('/'))
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('Open Latchkey') })
    expect(answer).not.toHaveProperty('headers.www-authenticate')
  })
})

it('without a token or a service, a tool gets a 503 that says why and when to try again', async () => {
  rig = await startGateway()
  rig.service.close()
  expect(await rig.ask('/')).toMatchObject({ status: 503, body: expect.stringContaining('network or VPN') })
  rig.time.pass(3_600_001)
  rig.source.refresh()
  rig.source.fail('unreachable', 42_000)
  expect(await rig.ask('/')).toMatchObject({ status: 503, headers: { 'retry-after': '42' } })
  rig.source.signOut()
  const body = 'You are not signed in. Open Latchkey and sign in.\n'
  expect(await rig.ask('/')).toMatchObject({ status: 503, headers: { 'retry-after': '10' }, body })
})

it.each([
  [302, 'https://evil.example/', 502, undefined],
  [302, '/next', 302, '/next'],
  [201, 'https://evil.example/', 201, undefined],
  [407, undefined, 502, undefined],
])(
  'SECURITY: a response with status %i and Location %s sends the tool to no other server',
  async (status, location, expected, path) => {
    const headers = location === undefined ? {} : { location }
    rig = await startGateway({ serve: (_, response) => void response.writeHead(status, headers).end('rows') })
    const answer = await rig.ask('/', { headers: { host: `localhost:${rig.port}` } })
    expect(answer.status).toBe(expected)
    expect(answer.headers.location).toBe(path && `http://localhost:${rig.port}${path}`)
  },
)

describe('SECURITY: open requests end when the session or the gateway changes', () => {
  it.each<[string, (rig: GatewayRig) => void]>([
    ['a sign-out', ({ source }) => source.signOut()],
    ['a new password', ({ gateway }) => gateway.lockOut()],
    ['another person’s sign-in', ({ source }) => source.grant(3_600_000, 'ben')],
    ['turning the gateway off', ({ gateway }) => void gateway.apply(undefined)],
    ['another data address', (rig) => void rig.gateway.apply({ ...rig.config, dataAddress: 'https://a.example' })],
    ['other allowed methods', (rig) => void rig.gateway.apply({ ...rig.config, methods: 'all' })],
  ])('a response is cut off in mid-stream by %s', async (_, ends) => {
    rig = await startGateway({ serve: (_request, response) => void response.write('first') })
    const answer = await rig.begin('/')
    ends(rig)
    await expect(text(answer)).rejects.toThrow('aborted')
  })

  it.each<[string, string | undefined, (rig: GatewayRig) => void]>([
    ['belongs to another person', 'ben', () => {}],
    ['comes just before a new password', undefined, ({ gateway }) => gateway.lockOut()],
  ])('a request that waits for a token isn’t sent with a token that %s', async (_, person, ends) => {
    rig = await startGateway()
    rig.time.pass(3_600_001)
    const answer = rig.ask('/')
    await expect.poll(() => rig.source.refreshes).toBe(1)
    rig.source.grant(3_600_000, person)
    ends(rig)
    expect((await answer).status).toBe(person === undefined ? 401 : 503)
    await wait(100)
    expect(rig.seen).toEqual([])
    if (person !== undefined) expect(rig.uses).toEqual([])
  })

  it('the gateway stays off if it is turned off while it opens its port', async () => {
    rig = await startGateway()
    await rig.gateway.apply(undefined)
    await Promise.all([rig.gateway.apply(rig.config), rig.gateway.apply(undefined)])
    expect(rig.gateway.state).toEqual({ kind: 'off' })
    await expect(rig.ask('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

it('SECURITY: the 257th connection is told to wait, and is served when there is room', async () => {
  rig = await startGateway({ serve: () => {} })
  const sockets = []
  for (let count = 16; count <= 256; count += 16) {
    for (let n = 0; n < 16; n++) sockets.push(connect(rig.port, '127.0.0.1').on('error', () => {}))
    for (const socket of sockets.slice(-16)) socket.write(`GET / HTTP/1.1\r\n${own()}\r\n`)
    await expect.poll(() => rig.seen).toHaveLength(count)
  }
  expect(await rig.ask('/')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  sockets[0]?.destroy()
  const seenNow = () => {
    rig.ask('/').catch(() => {})
    return rig.seen.length
  }
  await expect.poll(seenNow).toBeGreaterThan(256)
  for (const socket of sockets) socket.destroy()
})

it('a hundred tools that connect before any of them sends a request are all served', async () => {
  rig = await startGateway()
  const sockets = Array.from({ length: 100 }, () => connect(rig.port, '127.0.0.1'))
  const answers = sockets.map((socket) => text(socket).catch(String))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await wait(100)
  for (const socket of sockets) socket.write(`GET / HTTP/1.1\r\n${own()}Connection: close\r\n\r\n`)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200/)
})

it('SECURITY: another user can’t keep tools out with idle or slow connections or wrong passwords', async () => {
  rig = await startGateway()
  const sockets = Array.from({ length: 400 }, () => connect(rig.port, '127.0.0.1').on('error', () => {}))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const dripping = setInterval(() => {
    for (const [n, socket] of sockets.entries())
      if (n % 2 === 0) socket.write(socket.bytesWritten === 0 ? 'GET / HTTP/1.1\r\nX: ' : 'x')
  }, 20)
  const guesses = Array.from({ length: 50 }, (_, n) =>
    rig.ask('/', { headers: { authorization: `Basic ${Buffer.from(`latchkey:${n}`).toString('base64')}` } }),
  )
  for (let n = 0; n < 20; n++) expect((await rig.ask('/')).status).toBe(200)
  expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401, 429]))
  clearInterval(dripping)
  for (const socket of sockets) socket.destroy()
})

it('SECURITY: what follows a refused request on its connection never reaches the service', async () => {
  rig = await startGateway()
  const refused = 'GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n'
  expect(await rig.raw(`${refused}GET /after HTTP/1.1\r\n${own()}\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
  expect(rig.seen).toEqual([])
})

describe('the port', () => {
  it('SECURITY: the state names the program that took the port, until the port is free', async () => {
    const { port, stop } = await tcpServer(() => {})
    rig = await startGateway({ config: { port } })
    const by = process.platform === 'linux' ? { by: expect.stringMatching(/node|MainThread|vitest/) } : {}
    expect(rig.gateway.state).toEqual({ kind: 'portTaken', port, ...by })
    stop()
    rig.time.pass(30_000)
    await expect.poll(() => rig.gateway.state).toEqual({ kind: 'listening', port })
    expect((await rig.ask('/')).status).toBe(200)
  })

  it('SECURITY: the state names another user who took the port', rootOnly(ANOTHER_USER), async () => {
    const listener =
      "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))"
    const other = spawn(process.execPath, ['-e', listener], { uid: 65_534, cwd: '/' })
    onTestFinished(() => void other.kill())
    const port = Number(String((await once(other.stdout, 'data'))[0]))
    // Unlike root, this user can't see the program.
    process.seteuid?.(1)
    rig = await startGateway({ config: { port } }).finally(() => process.seteuid?.(0))
    expect(rig.gateway.state).toEqual({ kind: 'portTaken', port, by: 'nobody' })
  })

  it('SECURITY: the gateway can be reached only from this computer', async () => {
    rig = await startGateway()
    expect(await otherAddressesOf(rig.port)).toEqual([])
  })
})
