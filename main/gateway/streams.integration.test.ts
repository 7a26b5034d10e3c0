import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type GatewayRig, HOUR, startGateway, upload } from '../../test/gateway/rig.ts'
import { tcpServer } from '../../test/support/local-servers.ts'
import { running } from '../../test/support/running.ts'

let rig: GatewayRig
afterEach(() => rig.end())

const MIB = 1_024 * 1_024
const ALL = { config: { methods: 'all' } } as const
const HEAD = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n`

async function speaking(...answers: readonly (string | 'hang up')[]) {
  const heads: string[] = []
  let next = 0
  const { port } = await running(
    tcpServer((socket) =>
      socket.on('data', (data) => {
        heads.push(data.toString('latin1'))
        const answer = answers[next++] ?? 'hang up'
        if (answer === 'hang up') socket.destroy()
        else if (answer.endsWith('|')) socket.end(answer.slice(0, -1), 'latin1')
        else socket.write(answer, 'latin1')
      }),
    ),
  )
  rig = await startGateway({ config: { methods: 'all', dataAddress: `http://127.0.0.1:${port}` } })
  return heads
}

describe('streams', () => {
  it('a response arrives piece by piece, its head before its body, and goes on after its token’s end', async () => {
    let service: ServerResponse | undefined
    const serve = (_: unknown, response: ServerResponse) => {
      service = response
      response.flushHeaders()
    }
    rig = await startGateway({ serve })
    const answer = await rig.begin('/')
    for (const piece of ['one', 'two']) {
      service?.write(piece)
      expect(String((await once(answer, 'data'))[0])).toBe(piece)
      rig.time.pass(HOUR)
      rig.source.grant(HOUR)
    }
    answer.destroy()
  })

  it('a body is sent piece by piece, and the service may respond before the body ends', async () => {
    rig = await startGateway({
      ...ALL,
      serve: (incoming, response) => void incoming.once('data', (piece) => response.end(piece)),
    })
    const sent = upload(rig, { 'transfer-encoding': 'chunked' })
    sent.write('one')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await text(answer)).toBe('one')
    sent.destroy()
  })

  it('if one side stops reading, the gateway stops reading from the other side', async () => {
    let written = 0
    const fill = (to: Writable) => {
      while (written < 256 * MIB) {
        written += MIB
        if (!to.write(Buffer.alloc(MIB))) return void to.once('drain', () => fill(to))
      }
    }
    rig = await startGateway({ ...ALL, serve: ({ method }, response) => void (method === 'GET' && fill(response)) })
    const answer = await rig.begin('/')
    answer.pause()
    await wait(400)
    expect(written).toBeLessThan(32 * MIB)
    answer.destroy()
    written = 0
    const sent = upload(rig).on('error', () => {})
    fill(sent)
    await wait(400)
    expect(written).toBeLessThan(32 * MIB)
    sent.destroy()
  })

  it('a tool that hangs up ends the request at the service', async () => {
    const closed = vi.fn()
    rig = await startGateway({ serve: (_, response) => void response.on('close', closed).write('first') })
    ;(await rig.begin('/')).destroy()
    await expect.poll(() => closed).toHaveBeenCalled()
  })
})

describe('what the service sends', () => {
  it.each<[string, string, number, string | undefined, string, string?]>([
    ['the length of a body that HEAD doesn’t fetch', `${HEAD}Content-Length: 99\r\n\r\n`, 200, '99', '', 'HEAD'],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204, undefined, ''],
    ['304', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 4\r\n\r\n', 304, '4', ''],
    ['a range', 'HTTP/1.1 206 Partial\r\nContent-Length: 4\r\n\r\nrows', 206, '4', 'rows'],
    ['a hint first', 'HTTP/1.1 103 Hint\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nrows', 200, '4', 'rows'],
    ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nrows|', 200, undefined, 'rows'],
    ['chunks', `${CHUNKED}\r\n4\r\nrows\r\n0\r\nX-T: a\r\n\r\n`, 200, undefined, 'rows'],
  ])('reaches the tool if it is %s', async (_, bytes, status, length, body, method = 'GET') => {
    await speaking(bytes)
    const answer = await rig.ask('/', { method })
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([status, length, body])
  })

  it.each([
    ['a length and chunks', `${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n`],
    ['another coding behind 5,000 headers', `${HEAD}${'a:\r\n'.repeat(5_000)}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['nothing', 'hang up'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['another protocol without a name', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['endless interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(40)],
    ['a head of 100 KiB', `${HEAD}X: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('SECURITY: if the service sends %s, the tool gets a 502 with a sentence', async (_, bytes) => {
    await speaking(bytes)
    expect(await rig.ask('/')).toMatchObject({ status: 502, body: expect.stringContaining('not HTTP') })
  })

  it.each([
    ['a body', `${HEAD}Content-Length: 9\r\n\r\nrows|`],
    ['a chunk', `${CHUNKED}\r\n9\r\nrows|`],
  ])('is never passed on as complete if %s is cut off', async (_, bytes) => {
    await speaking(bytes)
    await expect(rig.ask('/')).rejects.toThrow()
  })
})

describe('connections to the service', () => {
  it.each([
    ['a GET request is sent again', { method: 'GET' }, 200, ['/one', '/two', '/two']],
    ['SECURITY: a POST request is never sent twice', { method: 'POST', body: 'x' }, 502, ['/one', '/two']],
  ])('%s if a connection that could be reused is dead', async (_, question, status, paths) => {
    const ok = `${HEAD}Content-Length: 4\r\n\r\nrows`
    const heads = await speaking(ok, 'hang up', ok)
    expect((await rig.ask('/one')).status).toBe(200)
    expect((await rig.ask('/two', question)).status).toBe(status)
    expect(heads.map((head) => head.split(' ', 2)[1])).toEqual(paths)
  })

  it('after the computer slept, a request gets a new token and a new connection', async () => {
    const ports = new Set<number | undefined>()
    rig = await startGateway({
      serve: ({ socket }, response) => void response.end(ports.add(socket.remotePort) && 'rows'),
    })
    await rig.ask('/')
    rig.time.sleep(2 * HOUR)
    const answer = rig.ask('/')
    await expect.poll(() => rig.source.refreshes).toBe(1)
    rig.source.grant(HOUR)
    expect((await answer).status).toBe(200)
    expect([ports.size, rig.seen[1]?.headers.authorization]).toEqual([2, 'Bearer token-2'])
  })
})

describe('tools of all kinds', () => {
  it('for an HTTP/1.0 tool, the end of the connection ends the response', async () => {
    rig = await startGateway({ serve: (_, response) => void response.writeHead(200).end('rows') })
    const answer = await rig.raw(
      `GET / HTTP/1.0\r\nHost: 127.0.0.1:${rig.port}\r\nAuthorization: ${rig.authorization}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?![\s\S]*chunked)[\s\S]*\r\n\r\nrows$/)
  })

  it('a request with Expect: 100-continue is told to continue only if its password is right', async () => {
    rig = await startGateway({ ...ALL, serve: (incoming, response) => incoming.pipe(response) })
    for (const [authorization, expected] of [
      [rig.authorization, 'continue rows'],
      ['Basic eDp4', '401'],
    ] as const) {
      const sent = upload(rig, { authorization, expect: '100-continue', 'content-length': '4' })
      const told = vi.fn(() => sent.end('rows'))
      sent.on('continue', told)
      sent.on('error', () => {})
      sent.flushHeaders()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      const body = await text(answer)
      expect(told.mock.calls.length > 0 ? `continue ${body}` : String(answer.statusCode)).toBe(expected)
      sent.destroy()
    }
    expect(rig.seen[0]?.headers).not.toHaveProperty('expect')
  })
})
