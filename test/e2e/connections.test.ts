import { expect, it, onTestFinished } from 'vitest'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { viewOf } from '../support/calls.ts'
import { confirmDialogs } from '../support/dialogs.ts'
import { entryNameOn } from '../support/entry.ts'
import { latchkey } from '../support/latchkey-command.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

it('a second connection is added, signed in, used, restored after a restart, and removed', async () => {
  const desk = await openTestDesktop()
  const staging = await startDemoService()
  onTestFinished(() => staging.stop())
  const first = await desk.start({ baseUrl: null })
  const window = await first.open()
  await confirmDialogs(first)
  await window.connect(desk.service.address)
  await window.signIn(ANA)
  const { page } = window
  await page.getByRole('button', { name: new URL(desk.service.address).host }).click()
  await page.getByRole('menuitem', { name: texts.connections.addOne }).click()
  await page.getByLabel(texts.connections.name).fill('staging')
  await page.getByLabel(texts.connections.address).fill(staging.address)
  await window.button(texts.connections.add).click()
  await window.username.waitFor()
  await page.getByRole('button', { name: /^staging, Signed out/ }).waitFor()
  await window.signIn(ANA)
  const printed = async (...args: string[]) => (await latchkey(desk, ['token', ...args])).stdout.trim()
  const code = async (...args: string[]) => (await latchkey(desk, ['token', ...args])).code
  expect(desk.service.issuedSecrets()).toContain(await printed())
  expect(staging.issuedSecrets()).toContain(await printed('--connection', 'staging'))
  await first.quit()

  const second = await desk.start({ baseUrl: null })
  const again = await second.open()
  await again.signedIn.waitFor()
  await expect
    .poll(async () => (await viewOf(again.page)).connections.map(({ session }) => session.kind))
    .toEqual(['active', 'active'])
  await again.signOut()
  expect(await code()).toBe(3)
  expect(staging.issuedSecrets()).toContain(await printed('--connection', 'staging'))

  await again.openConnection('staging')
  await again.button(texts.connections.remove('staging')).click()
  await again.button(texts.connections.removal.confirm).click()
  await again.page.getByRole('heading', { level: 1, name: texts.settings.heading }).waitFor()
  expect(desk.settings()).toHaveProperty('connections', {})
  expect(await code('--connection', 'staging')).toBe(1)
  await expect(desk.keyring.lookup(entryNameOn(desk, staging.address))).resolves.toBeUndefined()
  expect(staging.requests.filter(({ operation }) => operation === 'logout')).toMatchObject([{ status: 200 }])
})
