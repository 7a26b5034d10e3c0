import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { entryNameOn } from '../support/entry.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

it('a locked keychain is reported; once it is unlocked, the session continues', async () => {
  const desk = await openTestDesktop()
  const { keyring, service } = desk
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  await keyring.lock()

  const second = await desk.start()
  const window = await second.open()
  await window.says(texts.sessionUnread.locked.heading)
  await window.says(texts.sessionUnread.locked.lead)
  await expect(window.button('Sign in').isVisible()).resolves.toBe(true)
  expect(desk.settings()).toMatchObject({ markers: { [entryNameOn(desk)]: 'stored' } })

  await keyring.unlock()
  await window.signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
  expect(service.replayCount()).toBe(0)
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
