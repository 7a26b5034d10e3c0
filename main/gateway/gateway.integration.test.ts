import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type GatewayRig, listening, startGateway, upload } from '../../test/gateway/rig.ts'
import { otherAddressesOf } from '../../test/support/other-addresses.ts'

let rig: GatewayRig
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000 })
afterEach(() => rig.end())

const MIB = 1_024 * 1_024

/** A service that refuses these tokens and echoes bodies. */
const refusing =
  (...refused: readonly string[]) =>
  (request: IncomingMessage, response: ServerResponse) => {
    const isRefused = refused.some((token) => request.headers.authorization === `Bearer ${token}`)
    if (isRefused) response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"error":"invalid_token"}')
    else request.pipe(response)
  }

it('SECURITY: the service gets the access token, path and query, but not the gateway’s password', async () => {
  rig = await startGateway({ basePath: '/v1' })
  expect(await rig.ask('/v1/tables?top=10&skip=%2F')).toMatchObject({ status: 200, body: 'rows' })
  const [{ url, headers, rawHeaders } = { headers: {}, rawHeaders: [], url: '' }] = rig.seen
  expect(url).toBe('/v1/tables?top=10&skip=%2F')
  expect(headers).toMatchObject({ host: `127.0.0.1:${rig.servicePort}`, authorization: 'Bearer token-1' })
  expect(JSON.stringify(rawHeaders)).not.toContain(rig.authorization.slice(6))
})

it('each request with the password is recorded with its User-Agent and whether it got a token', async () => {
  rig = await startGateway()
  await rig.ask('/', { headers: { 'user-agent': 'Microsoft.Data.Mashup' } })
  await rig.ask('/', { headers: { 'user-agent': 'intruder/1', authorization: '' } })
  rig.source.signOut()
  await rig.ask('/')
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

/** Servers understand these headers differently: one sees a body where another sees a second request. */
const SMUGGLING: readonly [string, readonly string[]][] = [
  ['two lengths', ['Content-Length: 0', 'Content-Length: 38']],
  ['a length and chunks', ['Content-Length: 38', 'Transfer-Encoding: chunked']],
  ['another coding', ['Transfer-Encoding: gzip, chunked']],
  ['a space before the colon', ['Transfer-Encoding : chunked']],
  ['a folded header', ['Transfer-Encoding:', ' chunked']],
  ['a bare line feed', ['X: a\nTransfer-Encoding: chunked']],
  ['a bare carriage return', ['X: a\rTransfer-Encoding: chunked']],
  ['a hexadecimal length', ['Content-Length: 0x26']],
]

describe('SECURITY: a request that two servers could read differently', () => {
  it.each(SMUGGLING)('with %s, the service sees at most the first request', async (_, lines) => {
    rig = await startGateway({ config: { methods: 'all' }, serve: (request, response) => request.pipe(response) })
    const host = `Host: 127.0.0.1:${rig.port}`
    const own = [host, `Authorization: ${rig.authorization}`]
    const smuggled = ['GET /smuggled HTTP/1.1', ...own, '', ''].join('\r\n')
    const answer = await rig.raw(['POST /first HTTP/1.1', ...own, ...lines, '', `0\r\n\r\n${smuggled}`].join('\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    expect(rig.seen.map(({ url }) => url).filter((url) => url !== '/first')).toEqual([])
  })

  it('after 5,000 other headers, the gateway still reads the header for the body’s length', async () => {
    rig = await startGateway()
    const own = [`Host: 127.0.0.1:${rig.port}`, `Authorization: ${rig.authorization}`]
    const smuggled = ['GET /smuggled HTTP/1.1', ...own, '', ''].join('\r\n')
    const length = `Content-Length: ${smuggled.length}`
    await rig.raw(['GET /first HTTP/1.1', ...own, ...Array(5_000).fill('a:'), length, '', smuggled].join('\r\n'))
    expect(rig.seen.map(({ url }) => url)).toEqual(['/first'])
  })

  it('a chunked request with a trailer and the next request on its connection both arrive with their bodies', async () => {
    rig = await startGateway({ config: { methods: 'all' }, serve: (request, response) => request.pipe(response) })
    const own = `Host: 127.0.0.1:${rig.port}\r\nAuthorization: ${rig.authorization}\r\n`
    const chunked = `POST /a HTTP/1.1\r\n${own}Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX-Trailer: a\r\n\r\n`
    const answer = await rig.raw(`${chunked}POST /b HTTP/1.1\r\n${own}Content-Length: 2\r\n\r\nhi`)
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(answer).toMatch(/\r\n\r\n3\r\nabc\r\n0[\s\S]*\r\n\r\n2\r\nhi\r\n0\r\n\r\n$/)
    expect(rig.seen.map(({ url, headers }) => [url, headers['transfer-encoding'], headers['content-length']])).toEqual([
      ['/a', 'chunked', undefined],
      ['/b', undefined, '2'],
    ])
    expect(JSON.stringify(rig.seen)).not.toContain('X-Trailer')
  })
})

it.each([
  ['CONNECT evil.example:443 HTTP/1.1', /^HTTP\/1\.1 400/],
  ['OPTIONS * HTTP/1.1', /^HTTP\/1\.1 40[05]/],
])('SECURITY: the gateway is no proxy and no tunnel, so it refuses %s', async (line, status) => {
  rig = await startGateway()
  const answer = await rig.raw(`${line}\r\nHost: 127.0.0.1:${rig.port}\r\nAuthorization: ${rig.authorization}\r\n\r\n`)
  expect(answer).toMatch(status)
  expect(rig.seen).toEqual([])
})

it('SECURITY: a request for an upgrade stays an ordinary request', async () => {
  rig = await startGateway()
  rig.service.on('upgrade', (_, socket) => socket.destroy())
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMA' }
  expect((await rig.ask('/', { headers })).status).toBe(200)
  expect(rig.seen[0]?.headers).not.toHaveProperty('upgrade')
})

describe('a request whose token the service rejects', () => {
  const renewing = async (answer: Promise<unknown>) => {
    await soon(() => expect(rig.source.refreshes).toBe(1))
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
    rig = await startGateway({ config: { methods: 'all' }, serve: refusing('token-1') })
    const question = { method: 'POST', body: Buffer.alloc(2 * MIB) }
    rig.service.removeAllListeners('request')
    rig.service.on('request', (request, response) => {
      request.resume()
      request.on('end', () => response.writeHead(401).end())
    })
    const answer = await renewing(rig.ask('/', question))
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('send the request again') })
  })

  it('a body that is still arriving when the token is rejected reaches the service whole', async () => {
    rig = await startGateway({ config: { methods: 'all' }, serve: refusing('token-1') })
    const sent = upload(rig)
    const answered = once(sent, 'response')
    sent.write('a'.repeat(10_000))
    await soon(() => expect(rig.source.refreshes).toBe(1))
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
    const answer = (await renewing(rig.ask('/'))) as Awaited<ReturnType<GatewayRig['ask']>>
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('Open Latchkey') })
    expect(answer.headers).not.toHaveProperty('www-authenticate')
    expect(rig.seen).toHaveLength(2)
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
    [
      'another data address',
      ({ gateway, config }) => void gateway.apply({ ...config, dataAddress: 'https://other.example' }),
    ],
  ])('a response is cut off in mid-stream by %s', async (_, ends) => {
    rig = await startGateway({ serve: (_request, response) => void response.write('first') })
    const answer = await rig.begin('/')
    const began = performance.now()
    ends(rig)
    await expect(text(answer)).rejects.toThrow('aborted')
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it.each<[string, (rig: GatewayRig) => void, string | undefined]>([
    ['belongs to another person', () => {}, 'ben'],
    [
      'arrives while the gateway is being turned off',
      ({ source, gateway }) =>
        void source.subscribe(() => {
          if (source.tokenState.kind === 'signedIn' && source.tokenState.refresh.kind !== 'running')
            void gateway.apply(undefined)
        }),
      undefined,
    ],
  ])('a request that waits for a token isn’t sent with a token that %s', async (_, prepare, person) => {
    rig = await startGateway()
    rig.time.pass(3_600_001)
    const answer = rig.ask('/')
    await soon(() => expect(rig.source.refreshes).toBe(1))
    prepare(rig)
    rig.source.grant(3_600_000, person)
    expect(await answer).toMatchObject({ status: 503 })
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

  it('when the password changes, even a request that already waits for the service gets a 401', async () => {
    rig = await startGateway({ serve: () => {} })
    const answer = rig.ask('/')
    await soon(() => expect(rig.seen).toHaveLength(1))
    rig.stored.hash = undefined
    rig.gateway.lockOut()
    expect((await answer).status).toBe(401)
    expect((await rig.ask('/')).status).toBe(401)
  })
})

it('SECURITY: the 257th connection is told to wait, and is served when there is room', async () => {
  rig = await startGateway({ serve: () => {} })
  const sockets = []
  const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${rig.port}\r\nAuthorization: ${rig.authorization}\r\n\r\n`
  for (let count = 16; count <= 256; count += 16) {
    for (let n = 0; n < 16; n++) sockets.push(connect(rig.port, '127.0.0.1').on('error', () => {}))
    for (const socket of sockets.slice(-16)) socket.write(head)
    await soon(() => expect(rig.seen).toHaveLength(count))
  }
  expect(await rig.ask('/')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  sockets[0]?.destroy()
  await soon(() => {
    rig.ask('/').catch(() => {})
    expect(rig.seen.length).toBeGreaterThan(256)
  })
  for (const socket of sockets) socket.destroy()
})

it('a hundred tools that connect before any of them sends a request are all served', async () => {
  rig = await startGateway()
  const sockets = Array.from({ length: 100 }, () => connect(rig.port, '127.0.0.1'))
  const answers = sockets.map((socket) => text(socket).catch(String))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await wait(100)
  const lines = [`Host: 127.0.0.1:${rig.port}`, `Authorization: ${rig.authorization}`, 'Connection: close']
  for (const socket of sockets) socket.write(['GET / HTTP/1.1', ...lines, '', ''].join('\r\n'))
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200/)
})

it('a request whose head takes too long gets 408', async () => {
  rig = await startGateway({ hurry: 100 })
  expect(await rig.raw('GET / HTTP/1.1\r\nHost', 5_000)).toMatch(/^HTTP\/1\.1 408 .*took too long/s)
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
  await rig.ask('/first')
  const good = ['GET /after HTTP/1.1', `Host: 127.0.0.1:${rig.port}`, `Authorization: ${rig.authorization}`, '', '']
  expect(await rig.raw(`GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n${good.join('\r\n')}`)).toMatch(
    /^HTTP\/1\.1 403 /,
  )
  expect(rig.seen.map(({ url }) => url)).toEqual(['/first'])
})

describe('the port', () => {
  it('SECURITY: the state names the program that took the port, until the port is free', async () => {
    const other = createServer()
    const port = await listening(other)
    rig = await startGateway({ config: { port } })
    const by = process.platform === 'linux' ? { by: expect.stringMatching(/node|MainThread|vitest/) } : {}
    expect(rig.gateway.state).toEqual({ kind: 'portTaken', port, ...by })
    await new Promise((resolve) => other.close(resolve))
    rig.time.pass(30_000)
    await soon(() => expect(rig.gateway.state).toEqual({ kind: 'listening', port }))
    expect((await rig.ask('/')).status).toBe(200)
  })

  it('SECURITY: the gateway can be reached only from this computer', async () => {
    rig = await startGateway()
    expect(await otherAddressesOf(rig.port)).toEqual([])
  })
})
