/** Where the session is kept, and how the app behaves without a keychain. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { entryNameOn } from '../support/entry.ts'
import { openSignedIn, openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

/** Returns a text that differs after any change of the keyring's files. */
function fingerprint(keyring: Keyring): string {
  const folder = path.join(keyring.env.XDG_DATA_HOME, 'keyrings')
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(path.join(folder, name)))
  return hash.digest('hex')
}

it('a locked keychain is reported and not changed; once it is unlocked, the session continues', async () => {
  const desk = await openTestDesktop()
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

it('without D-Bus, the session ends when the app quits, and the window says so beforehand', async () => {
  const { desk, app: first, window } = await openSignedIn({ keychain: 'noBus' })
  await window.says(texts.session.kept.memory)
  await first.quit()
  expect(desk.settings()).not.toHaveProperty('markers')

  const second = await desk.start()
  await (await second.open()).username.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('a keychain that doesn’t answer never leaves the window empty', async () => {
  const desk = await openTestDesktop()
  const { keyring } = desk
  const [, service = 0] = keyring.pids
  process.kill(service, 'SIGSTOP')
  onTestFinished(() => void process.kill(service, 'SIGCONT'))

  const window = await (await desk.start()).open()
  process.kill(service, 'SIGCONT')
  await window.signIn(ANA)
})
