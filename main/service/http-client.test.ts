import { Agent, createServer } from 'node:https'
import { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Outcome } from '../../contract/failures.ts'
import { selfSignedCertificate, signedCertificate } from '../../demo/certificate.ts'
import {
  expectWithout,
  httpServer,
  json,
  listening,
  scriptedServer,
  tcpServer,
  testClient,
} from '../../test/support/local-servers.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { running } from '../../test/support/running.ts'
import { DeadlineClock } from '../base/clock.ts'
import { accessToken, password, refreshToken } from '../base/secret.ts'
import { createAuthService } from './auth-service.ts'
import type { HttpOptions } from './http-client.ts'

const PASSWORD = 'correct horse battery'
const ACCESS = 'access.token.value'
const REFRESH = 'refresh-token-in-hand'
const SECRETS = [PASSWORD, ACCESS, REFRESH]
const pair = { token: ACCESS, refreshToken: REFRESH }

const service = (baseAddress: string, options: Partial<HttpOptions> = {}) =>
  createAuthService({ baseAddress, http: testClient(options) })

/** The outcomes of a login (no body), a refresh (a secret in the body) and a logout (secrets in header and body). */
async function outcomes(baseAddress: string, options: Partial<HttpOptions> = {}): Promise<Outcome<unknown>[]> {
  const { login, refresh, logout } = service(baseAddress, options)
  const all = await Promise.all([
    login({ username: 'ana', password: password(PASSWORD) }),
    refresh(refreshToken(REFRESH)),
    logout(accessToken(ACCESS), refreshToken(REFRESH)),
  ])
  expectWithout(all, SECRETS)
  return all
}

const unreachable = (cause: unknown) => ({ ok: false, failure: { code: 'unreachable', details: { cause } } })

async function expectAll(all: Promise<Outcome<unknown>[]>, expected: object): Promise<void> {
  for (const outcome of await all) expect(outcome).toMatchObject(expected)
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

// biome-ignore format: a row a line reads as a table
it.each<[string, (socket: Socket) => void, unknown]>([
  ['reset before the request', (socket) => socket.resetAndDestroy(), expect.stringMatching(/^(ECONNRESET|EPIPE)$/)],
  ['closed within the response', (socket) => socket.once('data', () => socket.end(`${HEAD}Content-Length: 99\r\n\r\n{"tok`)), expect.any(String)],
  ['a response that is not HTTP', (socket) => socket.once('data', () => socket.end('220 mail.test ESMTP\r\n')), expect.stringMatching(/^HPE_/)],
  ['headers without an end', (socket) => socket.once('data', () => socket.write(`${HEAD}X: ${'x'.repeat(100_000)}`)), 'HPE_HEADER_OVERFLOW'],
  ['a switch to another protocol', (socket) => socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'), ), 'HTTP 101'],
])('a network failure makes the service unreachable, and nothing is sent twice: %s', async (_name, handle, cause) => {
  let connections = 0
  const { server, port } = await running(
    tcpServer((socket) => {
      connections++
      handle(socket)
    }),
  )
  await expectAll(outcomes(`http://127.0.0.1:${port}`), unreachable(cause))
  expect(connections).toBe(3)
  await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0)
})

describe('a response', () => {
  it('SECURITY: a response over the limit is not read to its end', async () => {
    let written = 0
    function* blocks() {
      for (; written < 64 * 1024 * 1024; written += 65_536) yield Buffer.alloc(65_536, 0x20)
    }
    const { server, port } = await running(
      httpServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 64 * 1024 * 1024 })
        pipeline(Readable.from(blocks()), response, () => {})
      }),
    )
    expect(await service(`http://127.0.0.1:${port}`).refresh(refreshToken(REFRESH))).toMatchObject({
      failure: { code: 'malformedResponse', details: { cause: 'answer over 256 KiB' } },
    })
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0)
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  const TEXT = JSON.stringify(pair)
  const LONG = Buffer.alloc(20_000_000)
  const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])
  it.each<[string, Uint8Array, string?]>([
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br, gzip', gzipSync(brotliCompressSync(TEXT))],
    // Bytes follow the compressed content.
    ['gzip', Buffer.concat([gzipSync(TEXT), Buffer.from('\r\n')])],
    // Some servers send these values although nothing is encoded. Some proxies decompress but keep the header.
    ['utf-8', Buffer.from(TEXT)],
    ['gzip', Buffer.from(TEXT)],
    ['gzip', gzipSync(LONG), 'answer over 256 KiB'],
    ['deflate', deflateRawSync(LONG), 'answer over 256 KiB'],
    ['gzip', gzipSync(TEXT).subarray(0, 40), 'content encoding'],
    ['zstd', zstd, 'content encoding'],
    ['gzip, '.repeat(9), gzipSync('{}'), 'content encoding'],
  ])('in %s is read unless it is too long when decompressed, damaged or unknown', async (encoding, body, cause) => {
    const server = await running(scriptedServer())
    server.answers({ status: 200, headers: { 'content-encoding': encoding }, body })
    const outcome = await service(server.address).refresh(refreshToken(REFRESH))
    if (cause === undefined) expect(outcome).toMatchObject({ ok: true })
    else expect(outcome).toMatchObject({ ok: false, failure: { code: 'malformedResponse', details: { cause } } })
  })
})

describe('credentials only go to the service', () => {
  it.each(['http://service.test', 'http://localhost.service.test', 'http://[::2]', 'https://ana@127.0.0.1'])(
    'no connection is opened to %s',
    async (address) => {
      const routeFor = vi.fn(async () => ({}))
      const cancel = vi.fn()
      const clock = { wall: () => 0, now: () => 0, at: vi.fn(() => cancel) }
      await expectAll(outcomes(address, { routeFor, clock }), { ok: false, failure: { code: 'notConfigured' } })
      expect(routeFor).not.toHaveBeenCalled()
      expect(cancel).toHaveBeenCalledTimes(clock.at.mock.calls.length)
    },
  )

  it.each(['127.0.0.1', 'localhost', '[::1]'])('plain http is allowed for %s, and no proxy is used', async (host) => {
    const server = await running(scriptedServer())
    server.answers(json(200, pair))
    const routeFor = () => Promise.reject(new Error('asked for a route'))
    const outcome = await service(`http://${host}:${server.port}`, { routeFor }).refresh(refreshToken(REFRESH))
    // The server listens on 127.0.0.1 only. `unreachable` shows that the client tried to connect.
    expect(outcome).toMatchObject(host === '[::1]' ? { failure: { code: 'unreachable' } } : { ok: true })
  })
})

describe('a proxy', () => {
  /** A route whose agent opens no tunnel, but uses the socket from `createConnection`. */
  const through = (createConnection: () => Socket) => ({
    routeFor: async () => ({ agent: Object.assign(new Agent(), { createConnection }), proxy: 'proxy.test:3128' }),
  })
  it('can’t answer in place of the service', async () => {
    const body = JSON.stringify(pair)
    const answer = `HTTP/1.1 200 Yes\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    // Passes on the proxy's response to CONNECT as if it were the service's response, as some agents do.
    const replaying = through(() => {
      const socket = new Socket({ writable: false })
      setImmediate(() => socket.push(answer))
      setImmediate(() => socket.push(null))
      return socket
    })
    await expectAll(outcomes('https://service.test', replaying), unreachable('proxy answered 200'))
  })

  it('gets no request if the connection through it doesn’t use TLS', async () => {
    let read = ''
    const { port } = await running(
      tcpServer((socket) => {
        socket.on('data', (data) => {
          read += data
        })
      }),
    )
    const plain = through(() => new Socket().connect(port, '127.0.0.1'))
    await expectAll(outcomes('https://service.test', plain), unreachable('no TLS'))
    expect(read).toBe('')
  })
})

describe('a deadline', () => {
  async function hanging() {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    const sockets: Socket[] = []
    const { port } = await running(httpServer(({ socket }) => sockets.push(socket)))
    return { time, clock, sockets, ...service(`http://127.0.0.1:${port}`, { clock }) }
  }
  const token = refreshToken(REFRESH)

  it('ends a refresh after 20 s, so that it can be repeated within a grace period of 30 s', async () => {
    const { time, sockets, refresh } = await hanging()
    const outcome = refresh(token)
    await expect.poll(() => sockets.length).toBe(1)
    time.pass(19_999)
    expect(time.pending()).toBe(1)
    time.pass(1)
    expect(await outcome).toMatchObject({ ok: false, failure: { details: { cause: 'request timeout', sent: true } } })
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
  })

  it('that passes during sleep ends the request on resume', async () => {
    const { time, clock, sockets, refresh } = await hanging()
    const outcome = refresh(token)
    await expect.poll(() => sockets.length).toBe(1)
    time.pass(1_000)
    time.sleep(60 * 60_000)
    clock.check()
    expect(await outcome).toMatchObject(unreachable('request timeout'))
    expect(time.pending()).toBe(0)
  })

  it('ends a request that has no connection after 10 s', async () => {
    const { port } = await running(tcpServer(() => {}))
    const time = new ManualTime()
    const { refresh } = service(`https://127.0.0.1:${port}`, { clock: new DeadlineClock(time) })
    const outcome = refresh(token)
    time.pass(9_999)
    expect(time.pending()).toBe(1)
    time.pass(1)
    expect(await outcome).toMatchObject(unreachable('connect timeout'))
  })
})

it('SECURITY: nothing is sent to a service with an untrusted certificate, even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
  const authority = selfSignedCertificate({ commonName: 'Company proxy', organization: 'Test' })
  const [notBefore, notAfter] = [new Date('2020-01-01'), new Date('2049-12-31T23:59:59Z')]
  const foreign = { commonName: 'service.test', organization: 'Data Platform', notBefore, notAfter }
  const server = createServer(signedCertificate(authority, foreign))
  const hear = vi.fn()
  server.on('secureConnection', (socket) => socket.on('data', hear))
  const { port } = await running(listening(server))
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const certificate = {
    subject: 'O=Data Platform, CN=service.test',
    issuer: 'O=Test, CN=Company proxy',
    validFrom: '2020-01-01T00:00:00.000Z',
    validTo: '2049-12-31T23:59:59.000Z',
  }
  const failure = { code: 'untrustedCertificate', details: { certificate } }
  await expectAll(outcomes(`https://127.0.0.1:${port}`), { failure })
  expect(hear).not.toHaveBeenCalled()
})

it('SECURITY: a service that speaks only TLS 1.1 is unreachable', async () => {
  // A ServerHello of TLS 1.1 (RFC 4346 section 7.4.1.3). By default, Node's OpenSSL refuses to send one.
  const hello = Buffer.from(`160302002a020000260302${'00'.repeat(32)}00c01300`, 'hex')
  const { port } = await running(tcpServer((socket) => socket.once('data', () => socket.write(hello))))
  await expectAll(outcomes(`https://127.0.0.1:${port}`), unreachable(expect.stringMatching(/unsupported.protocol/i)))
})
