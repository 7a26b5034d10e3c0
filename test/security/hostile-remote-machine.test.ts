/** A hostile machine at the other end of `latchkey ssh`. `remotes.integration.test.ts` tests each rule of its socket. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ask, EventListener, RawClient } from '../agent/client.ts'
import { openSignedIn } from '../support/test-desktop.ts'

async function openRemote(local: string) {
  const request = await RawClient.open(local)
  request.send('POST /v1/remote?host=build.example.com HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n\r\n')
  await expect.poll(() => request.text).toMatch(/^\/.*\n/m)
  return { request, socket: /^\/.*(?=\n)/m.exec(request.text)?.[0] ?? '' }
}

test('SECURITY: a remote machine can’t keep other tools from their tokens, and gets none after its session', async () => {
  const { desk, window } = await openSignedIn()
  const local = path.join(desk.dataFolder, 'agent.sock')
  const [{ request, socket }, other] = [await openRemote(local), await openRemote(local)]
  const named = await ask(socket, '/v1/token', { headers: { 'user-agent': 'a remote tool' } })
  expect(desk.service.issuedSecrets()).toContain(JSON.parse(named.body).token)
  await window.says('build.example.com: a remote tool')

  const listeners = Array.from({ length: 64 }, () => new EventListener(socket))
  const halves = Array.from({ length: 1_100 }, () => new RawClient(socket).send('GET /v1/tok'))
  await expect.poll(() => halves.filter((half) => half.socket.destroyed).length).toBeGreaterThan(1_000)
  for (const each of [local, other.socket]) expect((await ask(each, '/v1/token')).status).toBe(200)
  const tool = new EventListener(local)
  expect(await tool.next()).toMatchObject({ event: 'token' })

  request.hangUp()
  await expect.poll(() => existsSync(socket)).toBe(false)
  await Promise.all(halves.map(({ closed }) => closed))
  for (const listener of [...listeners, tool]) listener.hangUp()
  await window.signOut()
  expect((await ask(other.socket, '/v1/token')).status).toBe(401)
  other.request.hangUp()
})
