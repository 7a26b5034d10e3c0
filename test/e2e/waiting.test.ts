import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { LATCHKEY, PATH } from '../integration/cli/programs.ts'
import { startLogind } from '../support/logind.ts'
import { startNotificationDaemon } from '../support/notification-daemon.ts'
import { ordinaryUser } from '../support/ordinary-user.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
const NAMES = ['night-job', 'nightly.py', 'nightly.R']

function startTools({ home, dataFolder }: TestDesktop): Promise<string>[] {
  // Perhaps only root can read the checkout, so the tools use a copy.
  const script = path.join(home, 'latchkey')
  copyFileSync(LATCHKEY, script)
  const env = { PATH, HOME: home, LATCHKEY_SOCKET: path.join(dataFolder, 'agent.sock') }
  const words = [script, 'exec', '--wait', '--', 'printenv', 'ACCESS_TOKEN']
  const options = { cwd: '/', timeout: 150_000, ...ordinaryUser() }
  return NAMES.map(async (name) => {
    const own = { ...env, LATCHKEY_TOOL: name }
    return (await promisify(execFile)('/bin/sh', words, { env: own, ...options })).stdout
  })
}

it('three tools wait across a restart and a sleep; the user is asked once, and all get a token', async () => {
  const desk = await openTestDesktop()
  const bus = desk.keyring.env.DBUS_SESSION_BUS_ADDRESS
  const logind = await startLogind(bus)
  onTestFinished(() => logind.stop())
  const daemon = await startNotificationDaemon(bus)
  onTestFinished(() => daemon.stop())
  let panel = await desk.startPanel()
  const start = (...args: string[]) => desk.start({ args, env: { DBUS_SYSTEM_BUS_ADDRESS: bus } })
  const waiting = async () => {
    const tooltip = await panel.tooltip()
    return NAMES.filter((name) => tooltip.includes(name))
  }
  const allWait = () => expect.poll(waiting).toEqual(NAMES)

  const first = await start()
  const window = await first.open()
  await window.signIn(ANA)
  await window.signOut()
  await window.close()
  const jobs = startTools(desk)
  await allWait()
  await expect.poll(() => daemon.shown).toHaveLength(1)
  // Each attempt sends the signals again, because Chromium may not be listening yet.
  const wake = () => {
    logind.wake()
    return readFileSync(path.join(desk.dataFolder, 'logs/latchkey.log'), 'utf8')
  }
  await expect.poll(wake).toContain('app.woke')
  // The test quits the app through the main process, because the sleep signal ended Playwright's access to the page.
  await first.app.evaluate(({ app }) => app.quit())
  await first.ended()
  await expect.poll(() => daemon.standing()).toEqual([])

  // The fake panel shows only the icon of the first app, so the second run gets a new panel.
  panel.stop()
  panel = await desk.startPanel()
  const second = await start('--hidden')
  await allWait()
  await expect.poll(() => daemon.standing()).toHaveLength(1)
  const [asked] = daemon.standing()
  const host = new URL(desk.service.address).host
  expect(NAMES.map((name) => texts.notifications.waiting(name, host).title)).toContain(asked?.title)

  daemon.click(asked?.id ?? 0)
  const again = await second.open()
  const before = Math.floor(Date.now() / 1_000)
  await again.signIn(ANA)
  for (const token of await Promise.all(jobs)) {
    expect(desk.service.issuedSecrets()).toContain(token.trim())
    const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(iat).toBeGreaterThanOrEqual(before)
    expect(exp).toBeGreaterThan(before + 60)
  }
  await expect.poll(() => daemon.standing()).toEqual([])
  // There is one notification in each run of the app, because the app's notifications disappear when the app ends.
  expect(daemon.shown).toHaveLength(2)
})
