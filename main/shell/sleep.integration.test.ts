import { expect, it, onTestFinished, vi } from 'vitest'
import { onBus } from '../../test/keyring/bus.ts'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { startLogind } from '../../test/support/logind.ts'
import { DeadlineClock, systemTime } from '../session/clock.ts'
import { askBus, DAEMON } from './bus.ts'
import { tellsOfSleep } from './sleep.ts'

const clock = new DeadlineClock(systemTime)

async function startBus(): Promise<string> {
  const desktop = await startKeyring({ state: 'noService' })
  onTestFinished(() => desktop.stop())
  return desktop.env.DBUS_SESSION_BUS_ADDRESS
}

/** The connections to a bus but for that which asks. */
async function connectionsTo(busAddress: string): Promise<number> {
  const [names] = await onBus(busAddress, (call) => call({ ...DAEMON, member: 'ListNames' }))
  return (names as readonly string[]).filter((name) => name.startsWith(':')).length - 1
}

it.each(['win32', 'darwin'] as const)('%s tells by itself: nobody is asked', async (platform) => {
  await expect(tellsOfSleep({ platform, clock, bus: { busAddress: 'nonsense' } })).resolves.toBe(true)
})

it('Linux tells where logind runs, and else not', async () => {
  const busAddress = await startBus()
  const ask = () => tellsOfSleep({ platform: 'linux', clock, bus: { busAddress } })
  await expect(ask()).resolves.toBe(false)
  const logind = await startLogind(busAddress)
  onTestFinished(() => logind.stop())
  await expect(ask()).resolves.toBe(true)
  logind.stop()
  await expect.poll(ask).toBe(false)
})

it('logind is looked for on the computer’s own bus, not on the session’s', async () => {
  const [session, system] = [await startBus(), await startBus()]
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', session)
  vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', system)
  onTestFinished(() => void vi.unstubAllEnvs())
  const logind = await startLogind(system)
  onTestFinished(() => logind.stop())
  await expect(tellsOfSleep({ platform: 'linux', clock })).resolves.toBe(true)
})

/** On it nobody is ever late. */
const endless = { now: () => 0, at: () => () => {} }

it.each(['unix:path=/nonexistent/bus', 'disabled:', 'nonsense'])('Linux without a bus (%s) does not', async (at) => {
  await expect(tellsOfSleep({ platform: 'linux', clock: endless, bus: { busAddress: at } })).resolves.toBe(false)
})

it('leaves no connection behind, answered or not, in time or late', async () => {
  const busAddress = await startBus()
  await tellsOfSleep({ platform: 'linux', clock, bus: { busAddress } })
  const never = () => new Promise<boolean>(() => {})
  const question = { bus: { busAddress }, ask: never, otherwise: false, clock }
  await expect(askBus({ ...question, patience: 50 })).resolves.toBe(false)
  await expect(askBus({ ...question, patience: 0 })).resolves.toBe(false)
  // Who comes later than these has come when these have.
  await tellsOfSleep({ platform: 'linux', clock, bus: { busAddress } })
  await expect.poll(() => connectionsTo(busAddress)).toBe(0)
})
