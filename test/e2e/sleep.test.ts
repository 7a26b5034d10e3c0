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

const wakings = ({ dataFolder }: Desk): number =>
  readFileSync(path.join(dataFolder, 'logs/latchkey.log'), 'utf8').split('app.woke').length - 1

async function startSignedIn(desk: Desk): Promise<DeskApp> {
  const { DBUS_SESSION_BUS_ADDRESS } = desk.keyring.env
  // One bus serves for the session and the computer.
  const app = await desk.start({ env: { DBUS_SYSTEM_BUS_ADDRESS: DBUS_SESSION_BUS_ADDRESS } })
  const window = await app.open()
  await window.signIn(ANA)
  await window.signedIn.waitFor()
  return app
}

/** For how long the app means to do nothing after the system has told this: milliseconds. */
const restAfter = ({ app }: DeskApp, told: 'suspend' | 'resume'): Promise<number> =>
  app.evaluate(async ({ powerMonitor }, event) => {
    const { setTimeout: usual } = globalThis
    const delays: number[] = []
    globalThis.setTimeout = ((act: () => void, delay = 0, ...rest: unknown[]) => {
      delays.push(delay)
      return usual(act, delay, ...rest)
    }) as typeof setTimeout
    powerMonitor.emit(event)
    await new Promise((resolve) => usual(resolve, 200))
    globalThis.setTimeout = usual
    return Math.max(...delays)
  }, told)

it('logind’s word that it has woken is heard, and the app ends in good order after it', async () => {
  const desk = await openDesk()
  const logind = await startLogind(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => logind.stop())
  const app = await startSignedIn(desk)
  await eventually(() => wakings(desk)).toBe(0)
  logind.wake()
  await eventually(() => wakings(desk)).toBeGreaterThan(0)
  // Chromium ends Playwright's connection to the page when the computer goes to sleep.
  await app.app.evaluate(({ app: latchkey }) => latchkey.quit())
  await app.ended()
})

it('with logind the app rests for minutes, but not from sleep until it is told of waking', async () => {
  const desk = await openDesk()
  const logind = await startLogind(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => logind.stop())
  const app = await startSignedIn(desk)
  await eventually(() => restAfter(app, 'resume')).toBeGreaterThan(UNTOLD)
  expect(await restAfter(app, 'suspend')).toBe(UNTOLD)
  await restAfter(app, 'resume')
  expect(await restAfter(app, 'resume')).toBeGreaterThan(UNTOLD)
})

it('without logind it never does', async () => {
  const desk = await openDesk()
  const app = await startSignedIn(desk)
  // What a start waits for is sooner.
  await eventually(() => restAfter(app, 'resume')).toBe(UNTOLD)
  expect(await restAfter(app, 'resume')).toBe(UNTOLD)
})
