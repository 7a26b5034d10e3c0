import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { createHttpClient, type HttpClient, type HttpOptions } from '../../main/service/http-client.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Scripted {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

export async function listening<S extends Server>(
  server: S,
  at = 0,
): Promise<{ server: S; port: number; stop(): void }> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  await once(server.listen(at, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not a TCP server')
  const stop = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { server, port: address.port, stop }
}

export const tcpServer = (handle: (socket: Socket) => void, at?: number) => listening(createTcpServer(handle), at)

/** A port at which nothing listens. Programs that ask the system for any port don't get it, because it is so low. */
export async function freePort(): Promise<number> {
  const found = await tcpServer(() => {}, randomInt(20_000, 32_768)).catch(() => undefined)
  found?.stop()
  return found?.port ?? freePort()
}

export const httpServer = (handle: RequestListener) => listening(createServer(handle))

export async function scriptedServer() {
  const received: Received[] = []
  let next: Scripted = { status: 200 }
  const listener: RequestListener = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    response.writeHead(next.status, next.headers).end(next.body)
  }
  const { port, stop } = await httpServer(listener)
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    listener,
    received,
    stop,
    answers(scripted: Scripted) {
      next = scripted
      received.length = 0
    },
  }
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

export const WALL = Date.parse('2026-03-01T12:00:00Z')

/** A client whose wall clock always shows `WALL`, and whose deadlines use real time. */
export function testClient(options: Partial<HttpOptions> = {}): HttpClient {
  const real = new DeadlineClock(systemTime)
  const clock = { wall: () => WALL, now: () => real.now(), at: real.at.bind(real) }
  return createHttpClient({ userAgent: 'Latchkey/1.2.3', clock, ...options })
}

export function expectWithout(value: unknown, secrets: readonly string[]): void {
  const told = `${JSON.stringify(value)}${inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true })}`
  for (const secret of secrets) {
    expect(told).not.toContain(secret)
    expect(told).not.toContain(Buffer.from(secret).toString('base64'))
    expect(told).not.toContain(encodeURIComponent(secret))
  }
}
