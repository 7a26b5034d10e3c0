import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { httpServer, tcpServer, testClient } from '../../test/support/local-servers.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { running } from '../../test/support/running.ts'
import { DeadlineClock } from '../base/clock.ts'
import { refreshToken } from '../base/secret.ts'
import { createAuthService } from './auth-service.ts'
import type { HttpOptions } from './http-client.ts'
import type { HttpRequest } from './request.ts'

const refresh = (address: string): HttpRequest => ({
  operation: 'refresh',
  method: 'POST',
  url: new URL(`${address}/auth/refresh`),
  json: { refreshToken: refreshToken('refresh-token-in-hand') },
})

const unreachable = (cause: string) => ({ ok: false, failure: { code: 'unreachable', details: { cause } } })

/** A client with a manual clock, and a service that never responds. */
async function hanging(options: Partial<HttpOptions> = {}) {
  const time = new ManualTime()
  const clock = new DeadlineClock(time)
  const sockets: Socket[] = []
  let arrived = (): void => {}
  const received = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const server = await running(
    httpServer((request) => {
      sockets.push(request.socket)
      arrived()
    }),
  )
  const client = testClient({ clock, ...options })
  return { time, clock, client, sockets, received, address: `http://127.0.0.1:${server.port}` }
}

describe('deadlines', () => {
  it('a request times out after 30 s, and its connection is closed', async () => {
    const { time, client, sockets, received, address } = await hanging()
    const outcome = client.send(refresh(address))
    await received
    time.pass(29_999)
    expect(time.pending()).toBe(1)
    time.pass(1)
    expect(await outcome).toMatchObject(unreachable('request timeout'))
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
  })

  it('a refresh times out after 20 s, so that it can be repeated within a grace period of 30 s', async () => {
    const { time, client, received, address } = await hanging()
    const service = createAuthService({ baseAddress: address, http: client })
    const outcome = service.refresh(refreshToken('refresh-token-in-hand'))
    await received
    time.pass(20_000)
    expect(await outcome).toMatchObject({ ok: false, failure: { details: { cause: 'request timeout', sent: true } } })
  })

  it('a request times out on resume if its deadline passed during sleep', async () => {
    const { time, clock, client, received, address } = await hanging()
    const outcome = client.send(refresh(address))
    await received
    time.pass(1_000)
    time.sleep(60 * 60_000)
    clock.check()
    expect(await outcome).toMatchObject(unreachable('request timeout'))
    expect(time.pending()).toBe(0)
  })

  it('a request times out after 10 s without a connection', async () => {
    const { port } = await running(tcpServer(() => {}))
    const time = new ManualTime()
    const outcome = testClient({ clock: new DeadlineClock(time) }).send(refresh(`https://127.0.0.1:${port}`))
    time.pass(9_999)
    expect(time.pending()).toBe(1)
    time.pass(1)
    expect(await outcome).toMatchObject(unreachable('connect timeout'))
  })
})
