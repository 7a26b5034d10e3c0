/** These tests run a scripted Secret Service on a real bus. */
import { Message, Variant } from '@jellybrick/dbus-next'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../../test/keyring/bus.ts'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { SecretService } from './secret-service.ts'

const COLLECTION = '/org/freedesktop/secrets/collection/login'
const NONE = '/'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end()
})

/** @param aliases the answers to queries for the default collection; further queries get the last one */
async function scripted(aliases: readonly string[]) {
  const keyring = await startKeyring({ state: 'noService' })
  undo.push(() => keyring.stop())
  const busAddress = keyring.env.DBUS_SESSION_BUS_ADDRESS
  const service = await connect(busAddress)
  undo.push(() => service.disconnect())
  /** The sender of each query. */
  const callers: (string | undefined)[] = []
  /** While `isHolding` is true, answers wait in `answers`. */
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
