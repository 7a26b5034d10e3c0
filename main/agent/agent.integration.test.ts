import { existsSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask, EventListener, RawClient, until } from '../../test/agent/client.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { ERRORS } from './replies.ts'

let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent()
})

const token = (headers: Record<string, string> = {}) => ask(rig.socket, '/v1/token', { headers })
const running = () => rig.source.tokenState.kind === 'signedIn' && rig.source.tokenState.refresh.kind === 'running'

describe('GET /v1/token?wait', () => {
  const wait = (seconds: number, tool = 'python') =>
    ask(rig.socket, `/v1/token?wait=${seconds}`, { headers: { 'user-agent': tool } })
  const waiting = () => rig.agent.needs.list().flatMap((need) => need.waiting.map(({ name }) => name))
  const codeIn = ({ body }: { body: string }) => JSON.parse(body).error

  test('all waiting tools get their token as soon as the user signs in, even if that takes days', async () => {
    rig = await startAgent({ idle: 3_500 })
    rig.source.signOut()
    const answers = ['python', 'R', 'curl'].map((tool) => wait(604_800, tool))
    await until(() => waiting().length === 3)
    rig.time.pass(100 * HOUR)
    // The tools wait for longer than the idle timeout.
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    rig.source.grant(HOUR)
    for (const { body } of await Promise.all(answers)) expect(JSON.parse(body).token).toBe('token-2')
    expect([waiting(), rig.agent.needs.list(), rig.source.refreshes]).toEqual([[], [], 0])
  })

  test('a tool that gets no token is listed as needing a sign-in, even if it asks a gateway while the agent is off', async () => {
    rig.source.signOut()
    expect(codeIn(await token({ 'user-agent': 'curl' }))).toBe('signed_out')
    expect(rig.agent.needs.list()).toEqual([{ connection: 'default', first: { name: 'curl' }, waiting: [] }])
    rig.source.grant(HOUR)
    await rig.agent.turnOff('user')
    rig.source.signOut()
    rig.askGateway({ connection: 'default', tool: { userAgent: 'a workbook' }, result: 'signedOut' })
    expect(rig.agent.needs.list()).toMatchObject([{ first: { name: 'a workbook' } }])
  })

  test('a waiting tool is told at once that its connection was removed or the agent was turned off', async () => {
    rig.source.signOut()
    const first = wait(60)
    await until(() => waiting().length === 1)
    const names = rig.names.splice(0)
    rig.source.signOut()
    expect(codeIn(await first)).toBe('unknown_connection')
    rig.names.push(...names)
    const second = wait(60)
    await until(() => waiting().length === 1)
    await rig.agent.turnOff('administrator')
    expect([codeIn(await second), codeIn(await wait(60)), waiting()]).toEqual(['stopping', 'turned_off', []])
  })
})

describe('the list of tools that got a token', () => {
  const names = () => rig.agent.usage.list('default').map(({ name, count }) => [name, count])

  test('shows a gateway’s tools, is cleared before tools get another person’s token, and is empty while the agent is off', async () => {
    const serve = () => rig.askGateway({ connection: 'default', tool: { userAgent: 'a workbook' }, result: 'token' })
    const listener = new EventListener(rig.socket, { 'user-agent': 'a long job' })
    await listener.next()
    serve()
    expect(names()).toEqual([
      ['a workbook', 1],
      ['a long job', 1],
    ])
    rig.source.grant(HOUR, 'ben')
    expect(names()).toEqual([['a long job', 1]])
    await rig.agent.turnOff('user')
    serve()
    expect(names()).toEqual([])
  })

  const signIn = (account: string) => rig.source.grant(HOUR, account)
  test.each<readonly [string, number, () => unknown]>([
    ['a tool stays listed after a refresh', 1, () => signIn('ana')],
    ['a tool stays listed while the keychain is locked', 1, () => rig.source.become({ kind: 'locked' })],
    ['a tool is removed by a sign-out', 0, () => rig.source.signOut()],
    ['a tool is removed when another person signs in', 0, () => signIn('bea')],
    ['a tool is removed when the agent stops', 0, () => rig.agent.stop()],
  ])('%s', async (_, count, happens) => {
    await token()
    await happens()
    expect(names()).toHaveLength(count)
  })
})

describe('starting and stopping the agent', () => {
  test('the agent can be stopped and started again, even by calls that overlap', async () => {
    await Promise.all([rig.agent.stop(), rig.agent.stop()])
    expect([rig.agent.state.kind, existsSync(rig.socket)]).toEqual(['off', false])
    await expect(token()).rejects.toMatchObject({ code: 'ENOENT' })
    await Promise.all([rig.agent.start(), rig.agent.stop(), rig.agent.start()])
    expect(rig.agent.state).toEqual({ kind: 'on', location: rig.location })
    expect((await token()).status).toBe(200)
  })

  test('while the agent is turned off, replies about tokens and the session say who turned it off', async () => {
    await rig.agent.turnOff('user')
    expect([rig.agent.state.kind, rig.source.listening]).toEqual(['off', 0])
    expect((await token({ accept: 'text/plain' })).body).toBe(ERRORS.turned_off[1])
    expect(JSON.parse((await ask(rig.socket, '/v1/events')).body).error).toBe('turned_off')
    expect((await ask(rig.socket, '/v1/status')).body).toContain(`${ERRORS.turned_off[1]} You are not signed in`)
    expect((await ask(rig.socket, '/v1/status?connection=none')).body).not.toContain('signed in')
    await Promise.all([rig.agent.turnOff('user'), rig.agent.turnOff('administrator')])
    expect(await ask(rig.socket, '/v1/gateway')).toMatchObject({ status: 200 })
    expect((await ask(rig.socket, '/v1/gateway?connection=none')).body).toContain('unknown_connection')
    expect((await token({ accept: 'text/plain' })).body).toMatch(/^Turned off by your administrator/)
    await rig.agent.start()
    expect((await token()).status).toBe(200)
  })

  test('a stop closes every connection: idle, waiting, listening, or in the middle of a request', async () => {
    rig.time.pass(HOUR)
    const idle = await RawClient.open(rig.socket)
    idle.send('GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => idle.text.endsWith('}'))
    const half = (await RawClient.open(rig.socket)).send('GET /v1/tok')
    const waiting = (await RawClient.open(rig.socket)).send('GET /v1/token HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(running)
    const listening = new EventListener(rig.socket)
    await listening.until(/retry/)
    await rig.agent.stop()
    await Promise.all([idle.closed, half.closed, waiting.closed, until(() => listening.ended)])
    expect(waiting.text).toMatch(/^HTTP\/1\.1 503 .*\r\nConnection: close\r\n.*"error":"stopping"/s)
    expect([half.text, rig.source.listening, rig.time.pending()]).toEqual(['', 0, 0])
  })
})
