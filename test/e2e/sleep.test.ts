/** The computer sleeps and wakes: what the desktop tells of it reaches the app, which looks less often for it then. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { type Desk, type DeskApp, openDesk } from '../support/desk.ts'
import { eventually } from '../support/eventually.ts'
import { startLogind } from '../support/logind.ts'

/** What the app's clock waits at most, in milliseconds: longer than that it trusts no timer, unless it is told of waking. */
const UNTOLD = 30_000

const logOf = ({ dataFolder }: Desk): string => readFileSync(path.join(dataFolder, 'logs/latchkey.log'), 'utf8')
const wakings = (desk: Desk): number => logOf(desk).split('app.woke').length - 1

async function startSignedIn(desk: Desk): Promise<DeskApp> {
  const { DBUS_SESSION_BUS_ADDRESS } = desk.keyring.env
  // One bus serves for the session and the computer.
  const app = await desk.start({ env: { DBUS_SYSTEM_BUS_ADDRESS: DBUS_SESSION_BUS_ADDRESS } })
  const window = await app.open()
  await window.signIn(ANA)
  await window.signedIn.waitFor()
  return app
}

/** How soon the app means to look at its clock once the system has told this: milliseconds. */
const nextLook = ({ app }: DeskApp, told: 'suspend' | 'resume'): Promise<number> =>
  app.evaluate(async ({ powerMonitor }, event) => {
    const { setTimeout: set, clearTimeout: clear } = globalThis
    const armed = new Map<unknown, number>()
    globalThis.setTimeout = ((act: () => void, delay = 0) => {
      const timer = set(() => {
        armed.delete(timer)
        act()
      }, delay)
      armed.set(timer, delay)
      return timer
    }) as typeof setTimeout
    globalThis.clearTimeout = (timer) => {
      armed.delete(timer)
      clear(timer)
    }
    powerMonitor.emit(event)
    await new Promise((resolve) => set(resolve, 200))
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
    return Math.min(...armed.values())
  }, told)

it('logind’s word that it has woken is heard, and the app ends in good order after it', async () => {
  const desk = await openDesk()
  const logind = await startLogind(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => logind.stop())
  const app = await startSignedIn(desk)
  await eventually(() => wakings(desk)).toBe(0)
  // Chromium may not listen yet.
  const wakeAgain = () => {
    logind.wake()
    return wakings(desk)
  }
  await eventually(wakeAgain).toBeGreaterThan(0)
  // Chromium ends Playwright's connection to the page when the computer goes to sleep.
  await app.app.evaluate(({ app: latchkey }) => latchkey.quit())
  await app.ended()
})

it('with logind the app rests for minutes, but not from sleep until it is told of waking', async () => {
  const desk = await openDesk()
  const logind = await startLogind(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => logind.stop())
  const app = await startSignedIn(desk)
  await eventually(() => logOf(desk)).toContain('sleep.told by=system')
  await eventually(() => nextLook(app, 'resume')).toBeGreaterThan(UNTOLD)
  expect(await nextLook(app, 'suspend')).toBe(UNTOLD)
  expect(await nextLook(app, 'resume')).toBeGreaterThan(UNTOLD)
})

it('without logind it never does', async () => {
  const desk = await openDesk()
  const app = await startSignedIn(desk)
  await eventually(() => logOf(desk)).toContain('sleep.told by=nobody')
  // What a start waits for is sooner.
  await eventually(() => nextLook(app, 'resume')).toBe(UNTOLD)
  // To go to sleep takes no look at the clock, and changes nothing here.
  expect(await nextLook(app, 'suspend')).toBe(Number.POSITIVE_INFINITY)
})
