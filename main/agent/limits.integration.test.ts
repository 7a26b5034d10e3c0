import { Agent as Connections } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ask, RawClient, reject, until } from '../../test/agent/client.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { IS_WINE } from '../../test/support/systems.ts'
import { LIMITS, type Limits } from './limits.ts'

let rig: AgentRig

const start = async (limits: Partial<Limits> = {}) => {
  rig = await startAgent(limits)
}
const open = (text = '') => RawClient.open(rig.socket).then((client) => client.send(text))
const many = (count: number, text = '') => Promise.all(Array.from({ length: count }, () => open(text)))
const served = async () => expect(JSON.parse((await ask(rig.socket, '/v1/token')).body).token).toMatch(/^token-/)
const STATUS = 'GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n'
const TOKEN = 'GET /v1/token HTTP/1.1\r\nHost: localhost\r\n\r\n'
const EVENTS = 'GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST = 'POST /v1/token/rejected HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const errorIn = (client: RawClient) => JSON.parse(client.text.split('\r\n\r\n')[1] ?? '{}').error

describe('connections', () => {
  test('over the limit, idle connections are closed to make room; if none is idle, a new one is refused', async () => {
    await start({ connections: 10 })
    const idle = await many(10, STATUS)
    await until(() => idle.every((client) => client.text.endsWith('}')))
    await served()
    await Promise.all(idle.map((client) => client.closed))
    const busy = await many(10, 'GET /v1/tok')
    expect((await ask(rig.socket, '/v1/token')).status).toBe(503)
    busy[0]?.hangUp()
    await busy[0]?.closed
    await until(() => busy[0]?.socket.destroyed === true)
    await served()
    for (const client of busy) client.hangUp()
  })

  test('SECURITY: far over the limit, new connections are dropped, so that the app keeps its file descriptors', async () => {
    await start({ connections: 5, refusals: 5 })
    const clients = await many(20, 'GET')
    await until(() => clients.filter(({ socket }) => socket.destroyed).length === 10)
    for (const client of clients) client.hangUp()
  })
})

describe('requests', () => {
  test.each([
    ['byte by byte', '', 'G'],
    ['with a body byte by byte', `${POST}Content-Length: 100\r\n\r\n`, ' '],
    ['not at all', '', ''],
  ])('a request that arrives %s is cut off without effect, and others are served', async (_, begin, rest) => {
    await start({ arrival: 1_500 })
    const slow = await open(begin)
    const writing = setInterval(() => slow.send(rest), 50)
    await Promise.all(Array.from({ length: 20 }, served))
    await slow.closed
    clearInterval(writing)
    // A tool that still sends something when the agent closes the connection may lose the reply.
    expect(['request_timeout', 'malformed_request', ...(rest ? [undefined] : [])]).toContain(errorIn(slow))
    expect(rig.source.refreshes).toBe(0)
  })

  test('a body of 10 MB and a head that is too large are refused, and others are served meanwhile', async () => {
    await start()
    const big = await open(`${POST}Transfer-Encoding: chunked\r\n\r\n100000\r\n`)
    for (let each = 0; each < 10; each++) big.send(`${'x'.repeat(0x100000)}\r\n100000\r\n`)
    await Promise.all(Array.from({ length: 20 }, served))
    await big.closed
    expect([errorIn(big), rig.source.refreshes]).toEqual(['request_too_large', 0])
    const long = await open(`GET /v1/token HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(LIMITS.head)}`)
    await long.closed
    expect(errorIn(long)).toBe('headers_too_large')
  })

  test('SECURITY: a header that comes after 3,000 others is checked, too', async () => {
    await start()
    const page = await open(`${TOKEN.trimEnd()}\r\n${'a:\r\n'.repeat(3_000)}Origin: null\r\n\r\n`)
    await page.closed
    expect(errorIn(page)).toBe('forbidden')
  })

  test('the longest possible token can be reported as rejected, but a longer body is refused', async () => {
    await start()
    const bodyOf = (length: number) => `{"token":"${'x'.repeat(length - 12)}"}`
    for (const [length, line] of [
      [LIMITS.body, 'HTTP/1.1 200'],
      [LIMITS.body + 1, 'HTTP/1.1 413'],
    ] as const) {
      const client = await open(`${POST}Connection: close\r\nContent-Length: ${length}\r\n\r\n${bodyOf(length)}`)
      await client.closed
      expect(client.text.slice(0, 12)).toBe(line)
    }
  })

  test('SECURITY: only a few long bodies can arrive at once; one that is refused or hangs up makes room', async () => {
    await start({ longBodies: 1, arrival: 3_500 })
    const long = `${POST}Content-Length: 100000\r\n\r\n{`
    const slow = await open(long)
    const late = await open(long)
    await late.closed
    expect(errorIn(late)).toBe('too_many_connections')
    expect((await reject(rig.socket, 'another')).status).toBe(200)
    await slow.closed
    expect(errorIn(slow)).toBe('request_timeout')
    expect((await reject(rig.socket, 'x'.repeat(20_000))).status).toBe(200)
    ;(await open(long)).hangUp()
    while ((await reject(rig.socket, 'x'.repeat(20_000))).status !== 200);
  })
})

describe('several requests on one connection', () => {
  test('are all answered if 16 of them wait, but a 17th closes the connection', async () => {
    await start({ waitingPerConnection: 16 })
    rig.time.pass(HOUR)
    const greedy = await open(TOKEN.repeat(17))
    await greedy.closed
    expect(greedy.text).toBe('')
    const modest = await open(TOKEN.repeat(16))
    await until(() => rig.time.pending() > 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    rig.source.grant(HOUR)
    await until(() => modest.text.split('token-2').length === 17)
    modest.hangUp()
  })

  test('end with the first invalid or refused one, which gets a reply only if none waits before it', async () => {
    await start()
    const client = await open(`GET /v1/token HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n${TOKEN}`)
    await client.closed
    expect(errorIn(client)).toBe('malformed_request')
    expect(rig.agent.usage.list('default')).toEqual([])
    rig.time.pass(HOUR)
    const second = await open(`${TOKEN}nonsense\r\n\r\n`)
    await second.closed
    expect(second.text).toBe('')
  })

  test('SECURITY: behind one that waits and a refused one, a few are ignored, but more close the connection', async () => {
    await start()
    rig.time.pass(HOUR)
    const greedy = await open(`${TOKEN}GET / HTTP/1.1\r\n\r\n${TOKEN.repeat(16)}`)
    await greedy.closed
    expect(greedy.text).toBe('')
  })
})

const REQUESTS = IS_WINE ? 2_000 : 6_000

test(`${REQUESTS} requests leave no handle, listener, timer or waiting tool behind`, async () => {
  await start()
  const handles = () => process.getActiveResourcesInfo().filter((name) => /Pipe|Timeout|Server/.test(name)).length
  const before = { handles: handles(), listening: rig.source.listening, timers: rig.time.pending() }
  const agent = new Connections({ keepAlive: true, maxSockets: 50 })
  const twice = `${POST}Content-Length: 19\r\n\r\n{"token":"token-1"}`.repeat(2)
  const hangUp = async (text: string) => {
    const client = await open(text)
    await new Promise((resolve) => setTimeout(resolve, 2))
    client.hangUp()
  }
  let left = REQUESTS
  const tool = async () => {
    while (left-- > 0) {
      const kind = left % 100
      if (kind === 0) await reject(rig.socket, 'token-0', { agent })
      else if (kind < 4) await hangUp([TOKEN, EVENTS, twice][kind - 1] as string)
      else await ask(rig.socket, '/v1/token', { agent })
    }
  }
  await Promise.all(Array.from({ length: 50 }, tool))
  agent.destroy()
  await until(() => handles() <= before.handles)
  await until(() => rig.time.pending() === before.timers)
  expect(rig.source.listening).toBe(before.listening)
  await served()
})
