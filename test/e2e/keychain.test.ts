/** Where the session is kept, and how the app behaves without a keychain. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Message } from '@jellybrick/dbus-next'
import { expect, it, onTestFinished } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { connect } from '../keyring/bus.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { alterFiles } from '../support/alter.ts'
import { askAgent } from '../support/ask-agent.ts'
import { call } from '../support/calls.ts'
import { openDesk } from '../support/desk.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { entryNameOn } from '../support/entry.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

/** The state of the keyring's files, to detect any change. */
function fingerprint(keyring: Keyring): string {
  const folder = path.join(keyring.env.XDG_DATA_HOME, 'keyrings')
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(path.join(folder, name)))
  return hash.digest('hex')
}

/** Resolves when a program on the session bus calls a method of the Secret Service. */
async function watchCall({ env }: Keyring, member: string): Promise<{ readonly called: Promise<void> }> {
  const bus = await connect(env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => bus.disconnect())
  const called = new Promise<void>((resolve) => {
    bus.on('message', (message: Message) => {
      if (message.member === member) resolve()
    })
  })
  await bus.call(
    new Message({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus.Monitoring',
      member: 'BecomeMonitor',
      signature: 'asu',
      body: [[`destination='org.freedesktop.secrets',member='${member}'`], 0],
    }),
  )
  return { called }
}

it('a locked keychain is reported and not changed; once it is unlocked, the session continues', async () => {
  const desk = await openDesk()
  const { keyring, service } = desk
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  await keyring.lock()
  const before = fingerprint(keyring)

  const second = await desk.start()
  const window = await second.open()
  await window.says(texts.sessionUnread.locked.heading)
  await window.says(texts.sessionUnread.locked.lead)
  await expect(window.button('Sign in').isVisible()).resolves.toBe(true)
  expect(fingerprint(keyring)).toBe(before)
  expect(desk.settings()).toMatchObject({ markers: { [entryNameOn(desk)]: 'stored' } })

  await keyring.unlock()
  await window.signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
  expect(service.replayCount()).toBe(0)
})

it('a session whose keychain entry is missing is reported, and continues when the entry is back', async () => {
  const desk = await openDesk()
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  const name = entryNameOn(desk)
  const entry = await desk.keyring.lookup(name)
  await desk.keyring.put(name, undefined)

  const second = await desk.start()
  const window = await second.open()
  await window.says(texts.sessionUnread.missing.heading)
  await expect.poll(() => askAgent(desk)).toMatch(/^401 /)
  await window.button(texts.buttons.lookAgain).click()
  await window.says(texts.lookedAgain)
  await window.button('Sign in').click()
  await expect(window.username.inputValue()).resolves.toBe(ANA.username)
  await window.button('Back').click()

  await desk.keyring.put(name, entry)
  await window.button(texts.buttons.lookAgain).click()
  await window.signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('a restart with a locked keychain loses no session', async () => {
  const desk = await openDesk()
  const { keyring } = desk
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  await keyring.lock()
  const prompter = await keyring.startSilentPrompter()

  const second = await desk.start()
  await (await second.open()).says(texts.sessionUnread.locked.heading)
  await second.quit()
  prompter.stop()
  await keyring.unlock()

  const third = await desk.start()
  await (await third.open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it.each([
  ['no session bus', 'noBus'],
  ['no Secret Service', 'noService'],
] as const)('with %s, the session ends when the app quits, as the window says', async (_, keychain) => {
  const desk = await openDesk({ keychain })
  const first = await desk.start()
  const window = await first.open()
  await window.signIn(ANA)
  await window.says(texts.session.kept('memory', GRANTS.password.capabilities))
  await first.quit()
  expect(desk.settings()).not.toHaveProperty('markers')

  const second = await desk.start()
  await (await second.open()).username.waitFor()
  expect(desk.count('login')).toBe(1)
})

it.each<[string, (socket: string) => string]>([
  ['a list whose first address leads nowhere', (socket) => `unix:path=/nope;unix:path=${socket}`],
  ['an escaped address', (socket) => `unix:path=${socket.replaceAll('-', '%2d')}`],
])('the keychain and the tray are found at %s', async (_, variable) => {
  const desk = await openDesk()
  const panel = await desk.startPanel()
  const socket = path.join(desk.keyring.env.XDG_RUNTIME_DIR, 'bus')
  const env = { DBUS_SESSION_BUS_ADDRESS: variable(socket) }
  const first = await desk.start({ env })
  await expect(panel.tooltip()).resolves.toContain('Latchkey')
  const window = await first.open()
  await window.signIn(ANA)
  await window.says(texts.session.kept('keychain', GRANTS.password.capabilities))
  await first.quit()

  await (await (await desk.start({ env })).open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('without the bus’s variable, the keychain is found in the runtime folder', async () => {
  const desk = await openDesk()
  symlinkSync(path.join(desk.keyring.env.XDG_RUNTIME_DIR, 'bus'), path.join(desk.home, 'run/bus'))
  // Electron sets this value if there is none.
  const app = await desk.start({ env: { DBUS_SESSION_BUS_ADDRESS: 'disabled:' } })
  const window = await app.open()
  await window.signIn(ANA)
  await window.says(texts.session.kept('keychain', GRANTS.password.capabilities))
})

it('a keychain that doesn’t answer never leaves the window empty', async () => {
  const desk = await openDesk()
  const { keyring } = desk
  const [, service = 0] = keyring.pids
  process.kill(service, 'SIGSTOP')
  onTestFinished(() => void process.kill(service, 'SIGCONT'))

  const window = await (await desk.start()).open()
  process.kill(service, 'SIGCONT')
  await window.signIn(ANA)
})

it.each<[string, (keyring: Keyring) => Promise<void>, (keyring: Keyring) => Promise<void>]>([
  [
    'slow',
    async ({ pids: [, service = 0] }) => void process.kill(service, 'SIGSTOP'),
    async ({ pids: [, service = 0] }) => void process.kill(service, 'SIGCONT'),
  ],
  ['locked', (keyring) => keyring.lock(), (keyring) => keyring.unlock()],
])('single sign-on is offered as soon as a %s keychain returns the client secret', async (_, hide, show) => {
  const provider = await startIdentityProvider({ clientSecret: 'ginger-otter-4711' })
  onTestFinished(() => provider.stop())
  const { address: authUrl, settings } = provider
  const desk = await openDesk()
  const { keyring } = desk
  const first = await desk.start()
  await answerDialogs(first, 'confirm')
  const { page } = await first.open()
  await expect(
    call(page, 'saveSettings', {
      authUrl,
      realm: settings.realm,
      providerDomain: settings.domain,
      scope: 'openid',
      audience: settings.audience,
      clientId: settings.clientId,
      clientSecret: 'ginger-otter-4711',
    }),
  ).resolves.toMatchObject({ ok: true })
  await first.quit()
  await hide(keyring)
  onTestFinished(() => show(keyring))

  const second = await (await desk.start()).open()
  await second.username.waitFor()
  await show(keyring)
  await second.page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).check()
  await second.signIn(ANA)
})

it('a keychain process that ends at each start loses no session', async () => {
  const desk = await openDesk()
  const broken = path.join(desk.home, 'broken')
  await alterFiles(desk.installation, (folder) => {
    const script = path.join(folder, 'out/main/keytar-child.cjs')
    const guard = `if (require('node:fs').existsSync(${JSON.stringify(broken)})) process.exit(1)`
    writeFileSync(script, `${guard}\n${readFileSync(script, 'utf8')}`)
  })
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  writeFileSync(broken, '')

  const window = await (await desk.start()).open()
  await window.says(texts.sessionUnread.unavailable.heading)
  rmSync(broken)
  await window.signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('if the keyring restarts while the app starts, the session is not lost', async () => {
  const desk = await openDesk()
  const { keyring } = desk
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()

  const { called } = await watchCall(keyring, 'SearchItems')
  const app = await desk.start()
  await called
  await keyring.restartService()
  await (await app.open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('if the app is quit twice while it tests the keychain, it waits for the answer and ends cleanly', async () => {
  const desk = await openDesk()
  const { keyring } = desk
  const [, service = 0] = keyring.pids
  const { called } = await watchCall(keyring, 'OpenSession')
  const stopped = called.then(() => process.kill(service, 'SIGSTOP'))
  onTestFinished(() => void process.kill(service, 'SIGCONT'))

  const app = await desk.start()
  await stopped
  const ended = app.ended()
  const quit = () => void app.app.evaluate(({ app: main }) => main.quit()).catch(() => {})
  quit()
  await sleep(250)
  quit()
  await sleep(250)
  process.kill(service, 'SIGCONT')
  await ended
})
