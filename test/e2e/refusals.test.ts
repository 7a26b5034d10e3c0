/** Error messages appear in the form, and no error ends the session. */
import { expect, it } from 'vitest'
import { startServer } from '../../demo/server.ts'
import { ANA } from '../../demo/users.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { entryNameOn } from '../support/entry.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

/** Returns an address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = await startServer([], () => ({ status: 404, headers: {}, body: '' }), {})
  await server.stop()
  return server.address
}

it('if no server answers at an address, the error names it, and the user can change it', async () => {
  const desk = await openTestDesktop()
  const app = await desk.start({ baseUrl: null })
  await answerDialogs(app, 'confirm')
  const window = await app.open()
  const wrong = await deadAddress()
  await window.connect(wrong)
  const { title } = texts.failure({ code: 'unreachable' }, 'settings', new URL(wrong).host)
  await expect(window.alert.textContent()).resolves.toContain(title.slice(0, -1))
  expect(desk.settings()).toBeUndefined()
  await window.button(texts.check.run).click()
  await window.page
    .locator('.checks > .failed', { hasText: new URL(wrong).host })
    .first()
    .waitFor()
  await window.button(texts.buttons.back).click()
  await expect(window.serviceAddress.inputValue()).resolves.toBe(wrong)
  await window.button(texts.buttons.continueAnyway).click()
  await window.username.waitFor()

  await window.openConnection(new URL(wrong).host)
  await window.serviceAddress.fill(desk.service.address)
  await window.button('Save').click()
  await window.button('Back').click()
  await window.signIn(ANA)
})

it('after an outage of the service, the session is active again', async () => {
  const desk = await openTestDesktop()
  const { service, keyring } = desk
  const window = await (await desk.start()).open()
  await window.signIn(ANA)
  await service.pause()
  await window.choose('Renew now')

  const { title, body } = texts.failure({ code: 'unreachable' }, 'session', new URL(service.address).host)
  const heading = window.page.getByRole('heading', { name: title.slice(0, -1) })
  await heading.waitFor()
  await window.says(body)
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
  await expect(keyring.lookup(entryNameOn(desk))).resolves.toBeDefined()

  await service.resume()
  await heading.waitFor({ state: 'detached' })
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
  expect(desk.count('login')).toBe(1)
})
