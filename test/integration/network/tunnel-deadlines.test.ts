/** Deadlines that pass while a tunnel through a real proxy is open. */
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { DeadlineClock } from '../../../main/base/clock.ts'
import { refreshToken } from '../../../main/base/secret.ts'
import { createRouteFor } from '../../../main/network/routes.ts'
import { listening, tcpServer, testClient } from '../../support/local-servers.ts'
import { ManualTime, settle } from '../../support/manual-time.ts'
import { startHttpProxy } from '../../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../../support/proxy/socks-proxy.ts'
import type { Names } from '../../support/proxy/tunnel.ts'
import { running } from '../../support/running.ts'

/** Errors that no code handled. The app would log them as bugs. */
const unhandled: unknown[] = []
beforeEach(() => {
  unhandled.length = 0
  const note = (error: unknown) => unhandled.push(error)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, note)
    onTestFinished(() => void process.off(event, note))
  }
})

const identity = selfSignedCertificate({ host: 'service.test' })
const proxyIdentity = selfSignedCertificate({ host: '127.0.0.1' })

interface Upstream {
  readonly port: number
  /** The connections that have reached the stage under test. */
  readonly reached: readonly Socket[]
}

/** A server that reads everything and never answers. */
async function silent(
  listen: (serve: (socket: Socket) => void) => Promise<{ port: number; stop(): void }>,
): Promise<Upstream> {
  const reached: Socket[] = []
  const { port } = await running(
    listen((socket) => {
      socket.on('error', () => {})
      socket.resume().once('data', () => reached.push(socket))
    }),
  )
  return { port, reached }
}

const handshake = () => silent(tcpServer)
const request = () => silent((serve) => listening(createTlsServer(identity, serve)))
const overHttps = (names: Names) => startHttpProxy({ names, tls: proxyIdentity })
const overSocks = (names: Names) => startSocksProxy({ names })

it.each([
  ['the TLS handshake', 'HTTPS', 10_000, 'connect timeout', handshake, overHttps],
  ['the TLS handshake', 'SOCKS5', 10_000, 'connect timeout', handshake, overSocks],
  ['the request', 'SOCKS5', 30_000, 'request timeout', request, overSocks],
] as const)(
  'a deadline that passes during %s ends a tunnel through %s',
  async (_, kind, deadline, cause, startUpstream, start) => {
    const upstream = await startUpstream()
    const proxy = await running(start({ 'service.test': upstream.port }))
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    const resolveProxy = async () => `${kind} 127.0.0.1:${proxy.port}`
    const routeFor = createRouteFor({ resolveProxy, env: {}, credentials: { get: async () => undefined }, clock })
    const client = testClient({ clock, routeFor, trusted: async () => [identity.cert, proxyIdentity.cert] })
    const url = new URL('https://service.test/auth/refresh')
    const json = { refreshToken: refreshToken('refresh-token-in-hand') }
    const outcome = client.send({ operation: 'refresh', method: 'POST', url, json })
    await expect.poll(() => upstream.reached.map((socket) => socket.destroyed)).toEqual([false])
    time.pass(deadline - 1)
    await settle()
    expect(upstream.reached.map((socket) => socket.destroyed)).toEqual([false])
    time.pass(1)
    const details = { cause, proxy: `${kind.toLowerCase()}://127.0.0.1:${proxy.port}` }
    expect(await outcome).toMatchObject({ ok: false, failure: { code: 'unreachable', details } })
    await expect.poll(() => upstream.reached.map((socket) => socket.destroyed)).toEqual([true])
    expect([unhandled, time.pending()]).toEqual([[], 0])
  },
)
