/** Error messages appear in the form, and no error ends the session. */
import { expect, it } from 'vitest'
import type { SettingProblem } from '../../contract/settings.ts'
import { startServer } from '../../demo/server.ts'
import { ANA } from '../../demo/users.ts'
import { openDesk } from '../support/desk.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { entryNameOn } from '../support/entry.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

/** A local address without a listener. */
async function deadAddress(): Promise<string> {
  const server = await startServer([], () => ({ status: 404, headers: {}, body: '' }), {})
  await server.stop()
  return server.address
}

it('after a wrong password, the form shows an error and an empty password field, and keeps the username', async () => {
  const desk = await openDesk()
  const window = await (await desk.start()).open()
  await window.trySignIn({ ...ANA, password: 'noisy harbour lamp' })

  await expect(window.alert.textContent()).resolves.toContain(texts.failure({ code: 'rejected' }, 'signIn', '').title)
  await expect(window.password.inputValue()).resolves.toBe('')
  await expect(window.username.inputValue()).resolves.toBe(ANA.username)
  await expect(window.password.evaluate((field) => field === document.activeElement)).resolves.toBe(true)
  await expect(desk.keyring.lookup(entryNameOn(desk))).resolves.toBeUndefined()

  await window.page.keyboard.type(ANA.password)
  await window.page.keyboard.press('Enter')
  await window.signedIn.waitFor()
})

it.each<[string, string, SettingProblem]>([
  ['no address', 'ask Ana', 'notAnAddress'],
  ['an address without https', 'http://data.example.com', 'notHttps'],
  ['a password in the address', 'https://ana:x@127.0.0.1', 'hasCredentials'],
  ['a query', 'https://127.0.0.1/?next=1', 'hasQuery'],
])('the connection form refuses %s, and stays open', async (_, address, cause) => {
  const desk = await openDesk()
  const window = await (await desk.start({ baseUrl: null })).open()
  await window.connect(address)
  await window.says(texts.settings.problem('baseAddress', cause))
  await expect(window.serviceAddress.inputValue()).resolves.toBe(address)
  await expect(window.serviceAddress.evaluate((field) => field === document.activeElement)).resolves.toBe(true)
})

it('if no server answers at an address, the error names the address, and the user can change it', async () => {
  const desk = await openDesk()
  const app = await desk.start({ baseUrl: null })
  await answerDialogs(app, 'confirm')
  const window = await app.open()
  const wrong = await deadAddress()
  await window.connect(wrong)
  const { title } = texts.failure({ code: 'unreachable' }, 'settings', new URL(wrong).host)
  await expect(window.alert.textContent()).resolves.toContain(title)
  expect(desk.settings()).toBeUndefined()
  await window.button(texts.buttons.continueAnyway).click()
  await window.username.waitFor()

  await window.button('Settings').click()
  await window.serviceAddress.fill(desk.service.address)
  await window.button('Save').click()
  await window.signIn(ANA)
})

it('the settings form saves an address without a server only if the user continues anyway', async () => {
  const desk = await openDesk()
  const app = await desk.start({ baseUrl: null })
  await answerDialogs(app, 'confirm')
  const window = await app.open()
  await window.connect(desk.service.address)
  await window.username.waitFor()
  const saved = desk.settings()
  const wrong = await deadAddress()
  await window.button('Settings').click()
  await window.serviceAddress.fill(wrong)
  await window.button('Save').click()
  const { title } = texts.failure({ code: 'unreachable' }, 'settings', new URL(wrong).host)
  await expect(window.alert.textContent()).resolves.toContain(title)
  expect(desk.settings()).toEqual(saved)
  await window.button(texts.buttons.continueAnyway).click()
  await window.username.waitFor()
  expect(JSON.stringify(desk.settings())).toContain(wrong)
})

it('after an outage of the service the session is active again', async () => {
  const desk = await openDesk()
  const { service, keyring } = desk
  const window = await (await desk.start()).open()
  await window.signIn(ANA)
  await service.pause()
  await window.button('Renew now').click()

  const { title, body } = texts.failure({ code: 'unreachable' }, 'session', new URL(service.address).host)
  await window.says(title)
  await window.says(body)
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
  await expect(keyring.lookup(entryNameOn(desk))).resolves.toBeDefined()

  await service.resume()
  await window.page.getByText(title).waitFor({ state: 'detached' })
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
  expect(desk.count('login')).toBe(1)
})

it('an app that starts during an outage stays signed in and waits for the service', async () => {
  const desk = await openDesk()
  const { service } = desk
  const first = await desk.start()
  await (await first.open()).signIn(ANA)
  await first.quit()
  await service.pause()

  const window = await (await desk.start()).open()
  await window.signedIn.waitFor()
  await window.says(texts.session.noToken)
  await service.resume()
  await window.says('Renews automatically')
  expect(desk.count('login')).toBe(1)
})
