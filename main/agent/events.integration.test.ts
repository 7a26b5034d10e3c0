import { beforeEach, expect, test } from 'vitest'
import { ask, EventListener, RawClient, until } from '../../test/agent/client.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { HEARTBEAT_MS } from './events.ts'
import { LIMITS } from './limits.ts'

let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent()
})

const listen = () => new EventListener(rig.socket)

test('a listener gets the current token first, then each new one, a sign-out and the next sign-in', async () => {
  const first = listen()
  expect(await first.next()).toMatchObject({ event: 'token', data: { token: 'token-1', account: 'ana' } })
  const isListening = () => rig.agent.usage.list('default').some((use) => use.isListening)
  expect(isListening()).toBe(true)
  rig.source.grant(HOUR)
  expect(await first.next()).toMatchObject({ event: 'token', data: { token: 'token-2' } })
  rig.source.signOut()
  expect(await first.next()).toMatchObject({ event: 'signed_out', data: { error: 'signed_out' } })
  const second = listen()
  expect(await second.next()).toMatchObject({ event: 'signed_out' })
  rig.source.grant(HOUR)
  for (const listener of [first, second]) {
    expect(await listener.next()).toMatchObject({ event: 'token', data: { token: 'token-3' } })
    listener.hangUp()
  }
  await until(() => !isListening())
})

test('over the limit, a listener is refused until another has hung up', async () => {
  rig = await startAgent({ listeners: 1 })
  const first = listen()
  await first.next()
  const late = await ask(rig.socket, '/v1/events')
  expect([late.status, JSON.parse(late.body).error]).toEqual([503, 'too_many_listeners'])
  first.hangUp()
  let next = listen()
  // Until the agent notices that the first listener has hung up, it refuses the next listener.
  while ((await next.opened()) !== 200) next = listen()
  next.hangUp()
})

test.each([
  ['leaves many events unread', LIMITS.backlog, 0],
  ['stops reading, however little it leaves unread', Number.POSITIVE_INFINITY, 2],
])('a listener that %s is disconnected, and the others get their events', async (_, backlog, beats) => {
  rig = await startAgent({ backlog })
  const deaf = await RawClient.open(rig.socket)
  deaf.socket.pause()
  deaf.send('GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const good = listen()
  await good.next()
  // The operating system buffers what isn't read, so only many large events exceed its buffer and the agent's limit.
  for (let each = 0; each < 20; each++) {
    rig.source.grant(HOUR, 'a'.repeat(60_000))
    await good.next()
  }
  for (let beat = 1; beat <= beats; beat++) {
    rig.time.pass(HEARTBEAT_MS)
    await good.until(new RegExp(`(\n\n:){${beat}}`))
    // Through a pipe, the agent takes a moment to notice the unread heartbeat.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  deaf.socket.resume()
  await deaf.closed
  good.hangUp()
})
