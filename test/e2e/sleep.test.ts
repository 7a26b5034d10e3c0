/** The computer has slept: what the desktop tells of it reaches the app. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { eventually } from '../support/eventually.ts'
import { startLogind } from '../support/logind.ts'

const wakings = ({ dataFolder }: Desk): number =>
  readFileSync(path.join(dataFolder, 'logs/latchkey.log'), 'utf8').split('app.woke').length - 1

it('logind’s word that it has woken is heard, and the app ends in good order after it', async () => {
  const desk = await openDesk()
  const { DBUS_SESSION_BUS_ADDRESS } = desk.keyring.env
  const logind = await startLogind(DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => logind.stop())
  const app = await desk.start({ env: { DBUS_SYSTEM_BUS_ADDRESS: DBUS_SESSION_BUS_ADDRESS } })
  const window = await app.open()
  await window.signIn(ANA)
  await eventually(() => wakings(desk)).toBe(0)
  logind.wake()
  await eventually(() => wakings(desk)).toBeGreaterThan(0)
  // Chromium ends Playwright's connection to the page when the computer goes to sleep.
  await app.app.evaluate(({ app }) => app.quit())
  await app.ended()
})
