/** The computer wakes up, and logind tells the app. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { eventually } from '../support/eventually.ts'
import { startLogind } from '../support/logind.ts'
import { openTestDesktop, type TestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'

const logOf = ({ dataFolder }: TestDesktop): string => readFileSync(path.join(dataFolder, 'logs/latchkey.log'), 'utf8')
const wakings = (desk: TestDesktop): number => logOf(desk).split('app.woke').length - 1

async function startSignedIn(desk: TestDesktop): Promise<TestDesktopApp> {
  const { DBUS_SESSION_BUS_ADDRESS } = desk.keyring.env
  // One bus serves as session bus and as system bus.
  const app = await desk.start({ env: { DBUS_SYSTEM_BUS_ADDRESS: DBUS_SESSION_BUS_ADDRESS } })
  const window = await app.open()
  await window.signIn(ANA)
  await window.signedIn.waitFor()
  return app
}

it('the app reacts to logind’s wake signal, and can then quit', async () => {
  const desk = await openTestDesktop()
  const logind = await startLogind(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => logind.stop())
  const app = await startSignedIn(desk)
  await eventually(() => wakings(desk)).toBe(0)
  // Each attempt sends the signals again, because Chromium may not be listening yet.
  const wakeAgain = () => {
    logind.wake()
    return wakings(desk)
  }
  await eventually(wakeAgain).toBeGreaterThan(0)
  // The main process quits the app, because Chromium ends Playwright's connection to the page at the sleep signal.
  await app.app.evaluate(({ app: latchkey }) => latchkey.quit())
  await app.ended()
})
