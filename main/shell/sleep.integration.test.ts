import { expect, it, onTestFinished } from 'vitest'
import { onBus } from '../../test/keyring/bus.ts'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { startLogind } from '../../test/support/logind.ts'
import { DeadlineClock, systemTime } from '../session/clock.ts'
import { DAEMON } from './bus.ts'
import { tellsOfSleep } from './sleep.ts'

const clock = new DeadlineClock(systemTime)

async function startBus(): Promise<string> {
  const desktop = await startKeyring({ state: 'noService' })
  onTestFinished(() => desktop.stop())
  return desktop.env.DBUS_SESSION_BUS_ADDRESS
}

it.each(['win32', 'darwin'] as const)('%s tells by itself: nobody is asked', async (platform) => {
  await expect(tellsOfSleep({ platform, clock, busAddress: 'nonsense' })).resolves.toBe(true)
})

it('Linux tells where logind runs, and else not', async () => {
  const busAddress = await startBus()
  await expect(tellsOfSleep({ platform: 'linux', clock, busAddress })).resolves.toBe(false)
  const logind = await startLogind(busAddress)
  onTestFinished(() => logind.stop())
  await expect(tellsOfSleep({ platform: 'linux', clock, busAddress })).resolves.toBe(true)
})

it.each(['unix:path=/nonexistent/bus', 'disabled:', 'nonsense'])(
  'Linux without a bus (%s) does not',
  async (busAddress) => {
    await expect(tellsOfSleep({ platform: 'linux', clock, busAddress })).resolves.toBe(false)
  },
)

it('leaves no connection behind', async () => {
  const busAddress = await startBus()
  await tellsOfSleep({ platform: 'linux', clock, busAddress })
  const [names] = await onBus(busAddress, (call) => call({ ...DAEMON, member: 'ListNames' }))
  // The bus itself, and who asks.
  expect((names as readonly string[]).filter((name) => name.startsWith(':'))).toHaveLength(1)
})
