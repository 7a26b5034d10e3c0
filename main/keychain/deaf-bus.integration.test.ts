/**
 * If the bus doesn't answer, Latchkey can't know whether there is a keychain, so it must not report the keychain as
 * absent.
 */
import { expect, test } from 'vitest'
import { tcpServer } from '../../test/support/local-servers.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { running } from '../../test/support/running.ts'
import { openSecretStore } from './open.ts'
import { SecretService } from './secret-service.ts'

test.each([
  ['a TCP server never answers', 'AUTH', ''],
  ['a bus authenticates but never answers Hello', 'Hello', `OK ${'0'.repeat(32)}\r\n`],
])('the keychain is unavailable, not absent, if %s', async (_, last, answer) => {
  let heard = ''
  const { port } = await running(
    tcpServer((from) => {
      from.setEncoding('latin1').on('data', (text: string) => {
        heard += text
        if (text.includes('AUTH')) from.write(answer)
      })
    }),
  )
  const clock = new ManualClock()
  const secretService = new SecretService({ clock, busAddress: `tcp:host=127.0.0.1,port=${port}` })
  const opening = openSecretStore({
    platform: 'linux',
    hostname: 'PC-17',
    clock,
    askSecretService: () => secretService.ask(),
    loadKeytar: async () => ({
      getPassword: async () => null,
      setPassword: async () => {},
      deletePassword: async () => false,
    }),
  })
  await expect.poll(() => heard).toContain(last)
  clock.advance(2_000)
  expect(await opening).toMatchObject({ state: { kind: 'unavailable' }, store: { persistence: 'keychain' } })
})
