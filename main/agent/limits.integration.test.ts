/** No single tool, well-behaved or not, can harm the others. */
import { Agent as Connections } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, EventListener, RawClient, reject, until } from '../../test/agent/client.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { IS_WINE } from '../../test/support/systems.ts'
import { LIMITS, type Limits } from './limits.ts'

let rig: AgentRig
afterEach(() => rig.end())

const start = async (limits: Partial<Limits> = {}) => {
  rig = await startAgent(limits)
}
const open = (text = '') => RawClient.open(rig.socket).then((client) => client.send(text))
const many = (count: number, text = '') => Promise.all(Array.from({ length: count }, () => open(text)))
const served = async () => expect(JSON.parse((await ask(rig.socket, '/v1/token')).body).token).toMatch(/^token-/)
const STATUS = 'GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n'
const TOKEN = 'GET /v1/token HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST = 'POST /v1/token/rejected HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
/** Makes requests. When this resolves, the agent has read all earlier requests, and has noticed who hung up. */
const roundTrips = async () => {
  for (let each = 0; each < 3; each++) await ask(rig.socket, '/v1/status')
}
const errorIn = (client: RawClient) => JSON.parse(client.text.split('\r\n\r\n')[1] ?? '{}').error

describe('connections', () => {
  test('1,024 are served simultaneously', async () => {
    await start()
    // Clients retry until an instance of the pipe is free. In Wine, that takes a minute for 1,024 clients at once.
    const group = IS_WINE ? 64 : LIMITS.connections
    const clients: RawClient[] = []
    while (clients.length < LIMITS.connections) clients.push(...(await many(group, TOKEN)))
    await until(() => clients.every((client) => client.text.includes('token-1')))
    for (const client of clients) client.hangUp()
  })

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

  test('far over the limit, new connections are dropped', async () => {
    await start({ connections: 5, refusals: 5 })
    const clients = await many(20, 'GET')
    const dropped = () => clients.filter((client) => client.socket.destroyed).length
    // The operating system decides which connections are dropped.
    await until(() => dropped() >= 10)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(dropped()).toBe(10)
    for (const client of clients) client.hangUp()
  })
})

describe('requests', () => {
  test.each([
    ['byte by byte', '', 'G'],
    ['with a body byte by byte', `${POST}Content-Length: 100\r\n\r\n`, ' '],
    ['not at all', '', ''],
  ])('a request that arrives %s is cut off without effect, and others are served', async (_, begin, rest) => {
    await start({ arrival: 300 })
    const slow = await open(begin)
    const writing = setInterval(() => slow.send(rest), 50)
    await Promise.all(Array.from({ length: 20 }, served))
    await slow.closed
    clearInterval(writing)
    expect(['request_timeout', 'malformed_request']).toContain(errorIn(slow))
    expect(rig.source.refreshes).toBe(0)
  })

  test.each([
    ['with a declared length', 'Content-Length: 10485760\r\n\r\n', ''],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n100000\r\n', 'x'],
  ])('a body of 10 MB %s is refused, and others are served meanwhile', async (_, head, fill) => {
    await start()
    const big = await open(POST + head)
    const megabyte = (fill || 'x').repeat(0x100000)
    for (let each = 0; each < 10; each++) big.send(`${megabyte}${fill && '\r\n100000\r\n'}`)
    await Promise.all(Array.from({ length: 20 }, served))
    await big.closed
    expect([errorIn(big), rig.source.refreshes]).toEqual(['request_too_large', 0])
  })

  test('a request whose head is too large is refused', async () => {
    await start()
    const big = await open(`GET /v1/token HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(LIMITS.head)}`)
    await big.closed
    expect(errorIn(big)).toBe('headers_too_large')
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

  test('SECURITY: only a few long bodies can arrive at once, and short ones still get through', async () => {
    await start({ longBodies: 2 })
    const long = `${POST}Content-Length: 100000\r\n\r\n{`
    const slow = await many(2, long)
    const late = await open(long)
    await late.closed
    expect(errorIn(late)).toBe('too_many_connections')
    expect((await reject(rig.socket, 'another')).status).toBe(200)
    for (const client of slow) client.hangUp()
    while ((await reject(rig.socket, 'x'.repeat(20_000))).status !== 200);
  })

  test.each([
    ['is declared too large', `${POST}Content-Length: 10485760\r\n\r\n`],
    ['is too slow', `${POST}Transfer-Encoding: chunked\r\n\r\n`],
  ])('SECURITY: a long body that %s makes room for another once it is refused', async (_, request) => {
    await start({ longBodies: 1, arrival: 200 })
    const refused = await open(request)
    await refused.closed
    expect(errorIn(refused)).toMatch(/request_too_large|request_timeout/)
    expect((await reject(rig.socket, 'x'.repeat(20_000))).status).toBe(200)
  })
})

describe('tools that hang up', () => {
  test('a tool that hangs up while it waits is forgotten, and the others get their token', async () => {
    await start()
    rig.time.pass(HOUR)
    const gone = await many(50, TOKEN)
    const stays = ask(rig.socket, '/v1/token')
    await until(() => rig.time.pending() > 0)
    await roundTrips()
    for (const client of gone) client.hangUp()
    await Promise.all(gone.map((client) => client.closed))
    await roundTrips()
    // Through a pipe, the agent takes longer to notice that the tools have hung up.
    if (IS_WINE) await new Promise((resolve) => setTimeout(resolve, 200))
    rig.source.grant(HOUR)
    expect(JSON.parse((await stays).body).token).toBe('token-2')
    await until(() => rig.time.pending() === 0)
    expect(rig.agent.usage.list('default')).toMatchObject([{ count: 1 }])
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

  test('one that follows a refused request, such as one with two hosts, has no effect', async () => {
    await start()
    const client = await open(`GET /v1/token HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n${TOKEN}`)
    await client.closed
    expect(errorIn(client)).toBe('malformed_request')
    expect(rig.agent.usage.list('default')).toEqual([])
  })

  test('if the first waits and the second is invalid, the connection is closed without a reply', async () => {
    await start()
    rig.time.pass(HOUR)
    const client = await open(`${TOKEN}nonsense\r\n\r\n`)
    await client.closed
    expect(client.text).toBe('')
  })
})

const REQUESTS = IS_WINE ? 2_000 : 6_000

test(`${REQUESTS} requests leave no handle, listener, timer or waiting tool behind`, async () => {
  await start()
  const handles = () => process.getActiveResourcesInfo().filter((name) => /Pipe|Timeout|Server/.test(name)).length
  const before = { handles: handles(), listening: rig.source.listening, timers: rig.time.pending() }
  const agent = new Connections({ keepAlive: true, maxSockets: 50 })
  let left = REQUESTS
  const tool = async (number: number) => {
    while (left-- > 0) {
      const kind = left % 100
      if (kind === 0) await reject(rig.socket, 'token-0', { agent })
      else if (kind === 1) await ask(rig.socket, '/v1/status')
      else if (kind === 2) (await open(TOKEN)).hangUp()
      else if (kind === 3) await hearOnce()
      else if (kind === 4) await waitInVain()
      else await ask(rig.socket, '/v1/token', { agent, headers: { 'user-agent': `tool ${number}` } })
    }
  }
  const hearOnce = async () => {
    const listener = new EventListener(rig.socket)
    await listener.next()
    listener.hangUp()
  }
  const waitInVain = async () => {
    const body = '{"token":"token-1"}'
    const waiting = await open(`${POST}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(2))
    await new Promise((resolve) => setTimeout(resolve, 2))
    waiting.hangUp()
  }
  await Promise.all(Array.from({ length: 50 }, (_, number) => tool(number)))
  agent.destroy()
  await until(() => handles() <= before.handles)
  await until(() => rig.time.pending() === before.timers)
  expect(rig.source.listening).toBe(before.listening)
  await served()
})
