import { MessageType, Message as NewMessage, Variant } from '@jellybrick/dbus-next'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../test/keyring/bus.ts'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { askTrayHost, awaitTrayHost } from './tray-host.ts'

const WATCHER = 'org.kde.StatusNotifierWatcher'

let desktop: Keyring
beforeEach(async () => {
  desktop = await startKeyring({ state: 'noService' })
})
afterEach(() => desktop.stop())

const options = () => ({
  clock: new ManualClock(),
  bus: { busAddress: desktop.env.DBUS_SESSION_BUS_ADDRESS },
})

/** Fakes the watcher. It answers no call if `hasHost` is `silent`. */
async function startWatcher(hasHost: boolean | 'silent') {
  const bus = await connect(desktop.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => bus.disconnect())
  let has = hasHost
  bus.addMethodHandler((message) => {
    if (message.member !== 'Get' || message.body[1] !== 'IsStatusNotifierHostRegistered') return false
    if (has !== 'silent') bus.send(NewMessage.newMethodReturn(message, 'v', [new Variant('b', has)]))
    return true
  })
  await bus.requestName(WATCHER)
  return {
    registerHost() {
      has = true
      const signal = { path: '/StatusNotifierWatcher', interface: WATCHER, member: 'StatusNotifierHostRegistered' }
      bus.send(new NewMessage({ type: MessageType.SIGNAL, ...signal }))
    },
  }
}

it.each([
  ['without a watcher', 'absent', undefined],
  ['with a watcher but no panel', 'absent', false],
  ['with a watcher and a panel', 'present', true],
] as const)('on a desktop %s, the tray is %s', async (_, presence, hasHost) => {
  if (hasHost !== undefined) await startWatcher(hasHost)
  await expect(askTrayHost(options())).resolves.toBe(presence)
})

it('if the watcher doesn’t answer in time, or without a session bus, the tray’s presence is unknown', async () => {
  await startWatcher('silent')
  await expect(askTrayHost({ ...options(), clock: new DeadlineClock(systemTime) })).resolves.toBe('unknown')
  const bus = { busAddress: 'unix:path=/nonexistent/bus' }
  await expect(askTrayHost({ ...options(), bus })).resolves.toBe('unknown')
  awaitTrayHost(bus, () => {})
})

it('while the app waits for a panel, it is told only once that one has started', async () => {
  let told = 0
  onTestFinished(awaitTrayHost(options().bus, () => told++))
  const { registerHost } = await startWatcher(false)
  registerHost()
  await expect.poll(() => told).toBe(1)
  registerHost()
  await askTrayHost(options())
  expect(told).toBe(1)
})
