import { Message, Variant } from '@jellybrick/dbus-next'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../test/keyring/bus.ts'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { tcpServer } from '../../test/support/local-servers.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { running } from '../../test/support/running.ts'
import { openSecretStore } from './open.ts'
import { SecretService } from './secret-service.ts'

const COLLECTION = '/org/freedesktop/secrets/collection/login'
const NONE = '/'

/** Runs a scripted Secret Service. Queries for the default collection get `aliases` in order, then the last again. */
async function scripted(aliases: readonly string[]) {
  const keyring = await startKeyring({ state: 'noService' })
  onTestFinished(() => keyring.stop())
  const busAddress = keyring.env.DBUS_SESSION_BUS_ADDRESS
  const service = await connect(busAddress)
  onTestFinished(() => service.disconnect())
  const callers: (string | undefined)[] = []
  const held = { isHolding: false, answers: [] as (() => void)[] }
  service.addMethodHandler((call) => {
    if (call.member === 'ReadAlias') {
      const alias = aliases[callers.length] ?? aliases.at(-1)
      callers.push(call.sender)
      const answer = () => service.send(Message.newMethodReturn(call, 'o', [alias]))
      if (held.isHolding) held.answers.push(answer)
      else answer()
    } else if (call.member === 'Get' && call.path === COLLECTION) {
      service.send(Message.newMethodReturn(call, 'v', [new Variant('b', true)]))
    } else return false
    return true
  })
  await service.requestName('org.freedesktop.secrets')
  const clock = new ManualClock()
  return { keyring, callers, held, clock, secretService: new SecretService({ clock, busAddress }) }
}

test('asks twice more if no default collection is reported, because gnome-keyring may report this by mistake', async () => {
  const late = await scripted([NONE, NONE, COLLECTION])
  expect(await late.secretService.ask()).toEqual({ kind: 'locked' })
  const { secretService } = await scripted([NONE])
  expect(await secretService.ask()).toEqual({ kind: 'uncreated' })
})

test('queries in a row share a connection, and one that times out doesn’t cancel the others', async () => {
  const { secretService, held, callers, clock } = await scripted([COLLECTION])
  await secretService.ask()
  clock.advance(499)
  held.isHolding = true
  const first = secretService.ask()
  await expect.poll(() => held.answers).toHaveLength(1)
  clock.advance(1_500)
  const second = secretService.ask()
  await expect.poll(() => held.answers).toHaveLength(2)
  clock.advance(500)
  expect(await first).toMatchObject({ kind: 'unavailable' })
  held.isHolding = false
  const third = secretService.ask()
  for (const answer of held.answers) answer()
  expect(await second).toEqual({ kind: 'locked' })
  expect(await third).toEqual({ kind: 'locked' })
  // The third query used a new connection. The old one is closed by now, and the new one closes when it has been idle
  // for half a second.
  expect(new Set(callers).size).toBe(2)
  expect(clock.armed).toBe(1)
  clock.advance(500)
  expect(clock.armed).toBe(0)
})

// If the bus doesn't answer, Latchkey can't know whether there is a keychain.
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
