/** What a Secret Service says that speaks as a script has it, on a real bus. */
import { Message, Variant } from '@jellybrick/dbus-next'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../../test/keyring/bus.ts'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { DeadlineClock, systemTime } from '../session/clock.ts'
import { askSecretService } from './secret-service.ts'

const COLLECTION = '/org/freedesktop/secrets/collection/login'
const NONE = '/'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end()
})

/** @param aliases what each question for the default collection is answered; the last one from then on. */
async function scripted(aliases: readonly string[]) {
  const keyring = await startKeyring({ state: 'noService' })
  undo.push(() => keyring.stop())
  const busAddress = keyring.env.DBUS_SESSION_BUS_ADDRESS
  const service = await connect(busAddress)
  undo.push(() => service.disconnect())
  let asked = 0
  service.addMethodHandler((call) => {
    if (call.member === 'ReadAlias') {
      const alias = aliases[asked] ?? aliases.at(-1)
      asked += 1
      service.send(Message.newMethodReturn(call, 'o', [alias]))
    } else if (call.member === 'Get' && call.path === COLLECTION) {
      service.send(Message.newMethodReturn(call, 'v', [new Variant('b', true)]))
    } else return false
    return true
  })
  await service.requestName('org.freedesktop.secrets')
  return askSecretService({ clock: new DeadlineClock(systemTime), busAddress })
}

test('that there is no default collection is not believed at once: gnome-keyring says so by mistake', async () => {
  expect(await scripted([NONE, COLLECTION])).toEqual({ kind: 'locked' })
  expect(await scripted([NONE, NONE, COLLECTION])).toEqual({ kind: 'locked' })
})

test('a service that keeps saying so has none', async () => {
  expect(await scripted([NONE])).toEqual({ kind: 'uncreated' })
})
