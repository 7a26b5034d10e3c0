/** The window saves all settings or none, and a client secret only in the keychain. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { call, viewOf } from '../support/calls.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { own } from '../support/ordinary-user.ts'
import { heapOf, recordMessages, storagesOf } from '../support/renderer.ts'
import { openTestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const SECRET = 'ginger-otter-4711'
const texts = await sentences()
async function startProvider(): Promise<IdentityProvider> {
  const provider = await startIdentityProvider({ clientSecret: SECRET })
  onTestFinished(() => provider.stop())
  return provider
}

const providerValues = ({ address, settings }: IdentityProvider) => ({
  authUrl: address,
  providerDomain: settings.domain,
  realm: settings.realm,
  scope: 'openid offline_access',
  audience: settings.audience,
  clientId: settings.clientId,
  clientSecret: settings.clientSecret,
})

/** Sets up a provider as a person does. */
async function setUp(window: LatchkeyWindow, host: string, values: ReturnType<typeof providerValues>): Promise<void> {
  await window.openConnection(host)
  await window.page.getByRole('heading', { name: texts.settings.sso.heading }).click()
  for (const [field, value] of Object.entries(values) as [keyof typeof values, string][]) {
    await window.page.getByLabel(texts.settings.labels[field], { exact: true }).fill(value)
  }
  await window.button(texts.buttons.save).click()
  await window.says(texts.settings.saved)
  await window.button(texts.buttons.back).click()
}

async function signInBySso(window: LatchkeyWindow): Promise<void> {
  await window.page.getByRole('radio', { name: 'Single sign-on' }).check()
  await window.signIn(ANA)
}

it('a provider set up in the window works after a restart; its client secret is only in the keychain', async () => {
  const desk = await openTestDesktop()
  const provider = await startProvider()
  const { address } = desk.service
  const first = await desk.start({ baseUrl: null })
  await answerDialogs(first, 'confirm')
  const window = await first.open()
  const messages = await recordMessages(first.app)

  await window.connect(`${address}/`)
  await window.username.waitFor()
  const { clientSecret, ...rest } = providerValues(provider)
  await setUp(window, new URL(desk.service.address).host, { ...rest, clientSecret })
  expect(desk.settings()).toMatchObject({ connection: { baseAddress: address, ...rest } })
  const entry = JSON.stringify({ version: 1, issuer: rest.authUrl, clientSecret })
  await expect(desk.keyring.lookup(`${address} client secret`)).resolves.toBe(entry)
  await signInBySso(window)
  const view = await viewOf(window.page)
  expect(view.settings.clientSecret).toEqual({ source: 'user' })
  expect(view.session).toMatchObject({
    kind: 'active',
    account: { grant: { name: 'passwordRealm' } },
    kept: 'keychain',
  })
  const renderer = [await heapOf(window.page), await storagesOf(window.page)]
  const received = (await messages()).map(({ channel, args }) => evidence(`a message on ${channel}`, args))
  await first.quit()

  const second = await desk.start({ baseUrl: null })
  await (await second.open()).signedIn.waitFor()
  await second.quit()

  const secrets = [...tokensAsSecrets(provider.issuedSecrets()), { name: 'client secret', value: SECRET }]
  const printed = [first, second].map((each) => evidence('what it printed', each.printed()))
  const files = [...filesUnder(desk.dataFolder), ...filesUnder(desk.home)]
  expect(findLeaks(secrets, [...files, ...printed, ...received, ...renderer])).toEqual([])
})

/** Answers the save dialog with `filePath`, and records the text of each message box. */
async function answerSaving({ app }: TestDesktopApp, filePath: string): Promise<() => Promise<readonly string[]>> {
  const noted = await app.evaluateHandle(({ dialog }, file) => {
    const said: string[] = []
    const saving: unknown = async () => ({ canceled: file === '', filePath: file })
    const saying: unknown = async (_: unknown, { message }: { message: string }) => {
      said.push(message)
      return { response: 0, checkboxChecked: false }
    }
    dialog.showSaveDialog = saving as typeof dialog.showSaveDialog
    dialog.showMessageBox = saying as typeof dialog.showMessageBox
    return said
  }, filePath)
  return () => noted.jsonValue()
}

it('saved diagnostics are complete, readable only by the user, and have no secret', async () => {
  const desk = await openTestDesktop()
  const provider = await startProvider()
  const app = await desk.start({ baseUrl: null })
  const window = await app.open()
  const { page } = window
  await call(page, 'saveSettings', { baseAddress: desk.service.address, ...providerValues(provider) })
  await signInBySso(window)

  const file = path.join(desk.home, 'diagnostics.txt')
  writeFileSync(file, 'from last year'.repeat(1_000), { mode: 0o644 })
  own(file)
  const said = await answerSaving(app, file)
  await expect(call(page, 'saveDiagnostics')).resolves.toEqual(OK)
  const text = readFileSync(file, 'utf8')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(text).toContain(new URL(desk.service.address).host)
  expect(text).toContain('clientSecret: set, not shown (set by the user)')
  expect(text).toContain('info  session.state')
  expect(text).not.toContain('from last year')
  const secrets = [
    ...tokensAsSecrets(provider.issuedSecrets()),
    { name: 'client secret', value: SECRET },
    { name: 'password', value: ANA.password },
  ]
  expect(findLeaks(secrets, [evidence('the diagnostics', text)])).toEqual([])
  await expect(said()).resolves.toEqual([])
})
