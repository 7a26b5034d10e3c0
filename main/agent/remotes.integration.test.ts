import { chmodSync, existsSync, rmSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, ask, EventListener, RawClient, reject, until } from '../../test/agent/client.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { posixOnly } from '../../test/support/systems.ts'
import { LIMITS, type Limits, MOST_REMOTES } from './limits.ts'
import { REMOTE_HEARTBEAT_MS } from './remotes.ts'
import { BYTES_PER_SECOND } from './throttle.ts'

let rig: AgentRig
const clients: RawClient[] = []

async function start(limits: Partial<Limits> = {}): Promise<void> {
  rig = await startAgent(limits)
  rig.names.push('staging')
}

beforeEach(async () => {
  if (process.platform !== 'win32') await start()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.hangUp()
})

const open = async (socket: string, text: string): Promise<RawClient> => {
  const client = await RawClient.open(socket)
  clients.push(client)
  return client.send(text)
}
const linesOf = ({ text }: RawClient) =>
  text
    .split('\r\n\r\n')[1]
    ?.split('\r\n')
    .filter((_, index) => index % 2 === 1)

async function openRemote(query = 'host=build.example.com', from = rig.socket) {
  const request = await open(from, `POST /v1/remote?${query} HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n\r\n`)
  await until(() => (linesOf(request)?.length ?? 0) > 0)
  return { request, socket: linesOf(request)?.[0]?.trim() ?? '' }
}
const tokenAt = async (socket: string) => JSON.parse((await ask(socket, '/v1/token')).body).token
const refusal = async (asked: Promise<Answer>) => {
  const { status, body } = await asked
  return `${status} ${JSON.parse(body).error}`
}

const NO_SOCKET = posixOnly('on Windows, the agent has no socket that ssh can forward')

describe('a socket for a remote machine', NO_SOCKET, () => {
  test('SECURITY: a remote machine’s socket opens only for the user, and closes with its connections when its request ends', async () => {
    const { request, socket } = await openRemote()
    expect(socket).toMatch(new RegExp(`^${rig.socket.replace('agent.sock', 'ssh-[0-9a-f]{6}')}$`))
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    const listener = new EventListener(socket)
    await listener.next()
    request.hangUp()
    await until(() => listener.ended && !existsSync(socket))
    expect([await tokenAt(rig.socket), rig.time.pending()]).toEqual(['token-1', 0])
  })

  test('sends line breaks to `latchkey ssh` until its file is deleted or the agent is turned off', async () => {
    const [first, second] = [await openRemote(), await openRemote()]
    rig.time.pass(REMOTE_HEARTBEAT_MS)
    await until(() => linesOf(first.request)?.length === 2)
    rmSync(first.socket)
    rig.time.pass(REMOTE_HEARTBEAT_MS)
    await first.request.closed
    await rig.agent.turnOff('user')
    await second.request.closed
    expect(existsSync(second.socket)).toBe(false)
  })
})

const STATUS = 'GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST = 'POST /v1/token/rejected HTTP/1.1\r\nContent-Type: application/json\r\nHost: localhost\r\n'

describe('SECURITY: a remote machine gets no more than its share', NO_SOCKET, () => {
  test('this desktop’s tools can still wait when the machine’s limit is reached', async () => {
    await start({ waiters: 1 })
    rig.source.signOut()
    const { socket } = await openRemote()
    const waiting = () => rig.agent.needs.list().flatMap((need) => need.waiting)
    for (const [count, at] of [socket, rig.socket].entries()) {
      await open(at, 'GET /v1/token?wait=60 HTTP/1.1\r\nHost: localhost\r\nUser-Agent: R\r\n\r\n')
      await until(() => waiting().length === count + 1)
      expect(await refusal(ask(at, '/v1/token?wait=60'))).toBe('503 too_many_connections')
    }
    expect(waiting()).toEqual([{ name: 'R', host: 'build.example.com' }, { name: 'R' }])
  })

  test('it reaches only the connections that the user named, and the first is its default', async () => {
    const { socket } = await openRemote('host=build&connection=staging')
    expect((await ask(socket, '/v1/token?connection=staging')).status).toBe(200)
    for (const path of ['token', 'status', 'events']) {
      const { body } = await ask(socket, `/v1/${path}?connection=default`)
      expect(JSON.parse(body).message).toBe('There is no connection with this name. Available: staging.')
    }
    rig.source.signOut()
    expect((await ask(socket, '/v1/token')).body).toContain('You are not signed in to staging.')
  })

  test('it can neither open a socket for another machine nor end the session nor get the gateway’s password', async () => {
    const { socket } = await openRemote()
    for (const path of ['remote?host=other&connection=staging', 'sign-out', 'sign-out?all=true', 'gateway/password'])
      expect(await refusal(ask(socket, `/v1/${path}`, { method: 'POST' }))).toBe('403 forbidden')
    expect(await tokenAt(socket)).toBe('token-1')
  })

  test.each([
    ['incomplete requests', 'GET /v1/tok'],
    ['long bodies', `${POST}Content-Length: 500000\r\n\r\n`],
  ])('it can’t use %s to keep this desktop or another machine from its tokens', async (_, text) => {
    const [hostile, other] = [await openRemote('host=hostile'), await openRemote('host=other')]
    const crowd = Array.from({ length: LIMITS.connections + LIMITS.refusals }, () => new RawClient(hostile.socket))
    clients.push(...crowd)
    for (const client of crowd) client.send(text)
    await until(() => crowd.filter(({ socket }) => socket.destroyed).length > crowd.length / 2)
    for (const socket of [rig.socket, other.socket]) expect((await reject(socket, 'x'.repeat(20_000))).status).toBe(200)
  })

  test('it is slowed down if it floods the agent, but its requests and this desktop’s tools are answered', async () => {
    const { request, socket } = await openRemote()
    const flood = await Promise.all(Array.from({ length: 20 }, () => open(socket, STATUS.repeat(2_000))))
    const served = () => flood.reduce((sum, { text }) => sum + text.split('HTTP/1.1 200').length - 1, 0)
    const atOnce = Math.floor(BYTES_PER_SECOND / STATUS.length)
    for (const seconds of [1, 1.5]) {
      await until(() => served() >= atOnce * seconds - flood.length)
      for (let each = 0; each < 100; each++) expect(await tokenAt(rig.socket)).toBe('token-1')
      expect(served()).toBeLessThanOrEqual(atOnce * seconds)
      rig.time.pass(500)
    }
    for (const client of flood) client.hangUp()
    const late = await open(socket, '')
    late.socket.end('GET /v1/token HTTP/1.1\r\nHost: localhost\r\n\r\n')
    rig.time.pass(1_000)
    await late.closed
    expect(late.text).toContain('token-1')
    request.hangUp()
    await until(() => rig.time.pending() === 0)
  })

  test('if it rejects each new token, it is told when to ask again, and another machine gets new ones', async () => {
    const { socket } = await openRemote()
    const answer = reject(socket, 'token-1')
    await until(() => rig.source.refreshes === 1)
    rig.source.grant(HOUR)
    expect(JSON.parse((await answer).body).token).toBe('token-2')
    rig.time.pass(2_000)
    const early = await reject(socket, 'token-2')
    expect([early.status, early.headers['retry-after']]).toEqual([503, `${HOUR / 10_000 - 2}`])
    expect([await tokenAt(socket), rig.source.refreshes]).toEqual(['token-2', 1])
    const other = await openRemote('host=other')
    const renewed = reject(other.socket, 'token-2')
    await until(() => rig.source.refreshes === 2)
    rig.source.grant(HOUR)
    expect(JSON.parse((await renewed).body).token).toBe('token-3')
  })

  test('it is named in the list of tools, but can’t push this desktop’s tools off the list', async () => {
    const { socket } = await openRemote(`host=${encodeURIComponent('build\u202e.example.com\n')}`)
    await ask(rig.socket, '/v1/token', { headers: { 'user-agent': 'curl' } })
    for (let each = 0; each < 60; each++) await ask(socket, '/v1/token', { headers: { 'user-agent': `tool ${each}` } })
    const uses = rig.agent.usage.list('default').map(({ host, name }) => `${host}: ${name}`)
    const remote = Array.from({ length: 8 }, (_, index) => `build.example.com: tool ${59 - index}`)
    expect(uses).toEqual([...remote, 'undefined: curl'])
  })
})

test(
  'a ninth remote machine, or one whose socket others could reach, is refused with the reason',
  NO_SOCKET,
  async () => {
    const remotes = [await openRemote()]
    while (remotes.length < MOST_REMOTES) remotes.push(await openRemote())
    expect(await refusal(ask(rig.socket, '/v1/remote?host=one-more', { method: 'POST' }))).toBe(
      '503 too_many_connections',
    )
    remotes[0]?.request.hangUp()
    await until(() => !existsSync(remotes[0]?.socket ?? ''))
    expect((await openRemote()).socket).not.toBe('')
    remotes[1]?.request.hangUp()
    await until(() => !existsSync(remotes[1]?.socket ?? ''))
    chmodSync(rig.folder, 0o777)
    const { status, body } = await ask(rig.socket, '/v1/remote?host=one-more', { method: 'POST' })
    expect([status, JSON.parse(body).message]).toEqual([503, expect.stringContaining("isn't private")])
  },
)
