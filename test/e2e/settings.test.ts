/** The window saves either all settings or none, and the client secret only in the keychain. */

import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { askAgent, OFF_BY_USER, SERVES } from '../support/ask-agent.ts'
import { call, viewOf } from '../support/calls.ts'
import { type Desk, type DeskApp, openDesk } from '../support/desk.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { entryNameOn } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { startFileManager } from '../support/file-manager.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { own } from '../support/ordinary-user.ts'
import { heapOf, recordMessages, storagesOf } from '../support/renderer.ts'
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
async function setUp(window: LatchkeyWindow, values: ReturnType<typeof providerValues>): Promise<void> {
  await window.button(texts.buttons.settings).click()
  await window.page.getByRole('heading', { name: texts.settings.sso.heading }).click()
  for (const [field, value] of Object.entries(values) as [keyof typeof values, string][]) {
    await window.page.getByLabel(texts.settings.labels[field], { exact: true }).fill(value)
  }
  await window.button(texts.buttons.save).click()
  await window.says(texts.settings.saved)
}

async function signInBySso(window: LatchkeyWindow): Promise<void> {
  await window.page.getByRole('radio', { name: 'Single sign-on' }).check()
  await window.signIn(ANA)
}

const socketOf = ({ dataFolder }: Desk) => path.join(dataFolder, 'agent.sock')

it('a provider set up in the window works, even after a restart; only the keychain has the client secret', async () => {
  const desk = await openDesk()
  const provider = await startProvider()
  const { address } = desk.service
  const first = await desk.start({ baseUrl: null })
  await answerDialogs(first, 'confirm')
  const window = await first.open()
  const messages = await recordMessages(first.app)

  await window.connect(`${address}/`)
  await window.username.waitFor()
  const { clientSecret, ...rest } = providerValues(provider)
  await setUp(window, { ...rest, clientSecret })
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

it('a single sign-on session continues when the locked keychain is unlocked', async () => {
  const desk = await openDesk()
  const provider = await startProvider()
  const first = await desk.start({ baseUrl: null })
  const window = await first.open()
  await call(window.page, 'saveSettings', { baseAddress: desk.service.address, ...providerValues(provider) })
  await signInBySso(window)
  await first.quit()

  await desk.keyring.lock()
  const second = await desk.start({ baseUrl: null })
  const again = await second.open()
  await expect.poll(async () => (await viewOf(again.page)).session.kind).toBe('sessionUnread')
  await desk.keyring.unlock()
  await expect.poll(async () => (await viewOf(again.page)).session.kind, { timeout: 60_000 }).not.toBe('sessionUnread')
  await expect.poll(async () => (await viewOf(again.page)).session.kind).toBe('active')
})

it('all values are saved or none, and each invalid value is named', async () => {
  const desk = await openDesk()
  const provider = await startProvider()
  const { page } = await (await desk.start({ baseUrl: null })).open()
  await call(page, 'saveSettings', { baseAddress: desk.service.address })
  const before = desk.settings()

  const { audience: _, ...values } = { ...providerValues(provider), authUrl: 'http://login.example.com' }
  const refusal = {
    ok: false,
    failure: { code: 'invalidInput', fields: { authUrl: 'notHttps', audience: 'missing' } },
  }
  await expect(call(page, 'checkSettings', values)).resolves.toMatchObject(refusal)
  await expect(call(page, 'saveSettings', values)).resolves.toMatchObject(refusal)
  expect(desk.settings()).toEqual(before)
  await expect(desk.keyring.lookup(`${desk.service.address} client secret`)).resolves.toBeUndefined()

  await expect(call(page, 'checkSettings', providerValues(provider))).resolves.toEqual(OK)
  expect(desk.settings()).toEqual(before)
})

it('if the keychain can’t be written, nothing is saved, and the window says so', async () => {
  const desk = await openDesk({ keychain: 'locked' })
  const provider = await startProvider()
  const app = await desk.start({ baseUrl: null })
  await answerDialogs(app, 'confirm')
  const { page } = await app.open()
  await call(page, 'saveSettings', { baseAddress: desk.service.address })
  const before = desk.settings()
  await expect(call(page, 'saveSettings', providerValues(provider))).resolves.toMatchObject({
    ok: false,
    failure: { code: 'keychainUnavailable' },
  })
  expect(desk.settings()).toEqual(before)
})

it('saving unchanged values keeps the session; another address opens another session, and the first is kept', async () => {
  const desk = await openDesk()
  const other = await startDemoService()
  onTestFinished(() => other.stop())
  const app = await desk.start({ baseUrl: null })
  await answerDialogs(app, 'confirm')
  const window = await app.open()
  const { page } = window
  const { address } = desk.service
  await call(page, 'saveSettings', { baseAddress: address })
  await window.signIn(ANA)
  const entry = entryNameOn(desk, address)
  const kept = await desk.keyring.lookup(entry)

  await call(page, 'saveSettings', { baseAddress: `${address}/` })
  expect((await viewOf(page)).session.kind).toBe('active')
  expect(desk.count('refresh')).toBe(0)

  await call(page, 'saveSettings', { baseAddress: other.address })
  await expect.poll(async () => (await viewOf(page)).session.kind).toBe('signedOut')
  await expect(desk.keyring.lookup(entry)).resolves.toBe(kept)
  expect(desk.count('logout')).toBe(0)

  await call(page, 'saveSettings', { baseAddress: address })
  await expect.poll(async () => (await viewOf(page)).session.kind).toBe('active')
})

it('the user’s choice to turn the agent off or on is kept after a restart', async () => {
  const desk = await openDesk()
  const first = await desk.start()
  const { page } = await first.open()
  await eventually(() => askAgent(desk)).toMatch(SERVES)
  await expect(call(page, 'setSwitch', { name: 'agent', enabled: false })).resolves.toEqual(OK)
  await eventually(() => askAgent(desk)).toMatch(OFF_BY_USER)
  await expect(viewOf(page)).resolves.toMatchObject({ switches: { agent: { enabled: false, source: 'user' } } })
  await first.quit()

  const second = await desk.start()
  const again = await second.open()
  expect((await viewOf(again.page)).switches.agent.enabled).toBe(false)
  await eventually(() => askAgent(desk)).toMatch(OFF_BY_USER)
  await expect(call(again.page, 'setSwitch', { name: 'agent', enabled: true })).resolves.toEqual(OK)
  await eventually(() => askAgent(desk)).toMatch(SERVES)
})

it('a tool that gets an access token is listed at once, under the name it gives itself', async () => {
  const desk = await openDesk()
  const window = await (await desk.start()).open()
  await window.signIn(ANA)
  const headers = { 'User-Agent': 'notebook/1', Accept: 'text/plain' }
  const asking = get({ socketPath: socketOf(desk), path: '/v1/token', headers })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(200)
  await window.page.getByText('notebook/1').waitFor()
  await expect(viewOf(window.page)).resolves.toMatchObject({ agent: { uses: [{ name: 'notebook/1', count: 1 }] } })
})

it('if the agent can’t start, the window gets the reason', async () => {
  const desk = await openDesk()
  writeFileSync(socketOf(desk), 'not a socket')
  const { page } = await (await desk.start()).open()
  await expect.poll(async () => (await viewOf(page)).agent.problem).toContain(socketOf(desk))
  expect(readFileSync(socketOf(desk), 'utf8')).toBe('not a socket')
})

it('the access token is copied without passing through the window', async () => {
  const desk = await openDesk()
  const app = await desk.start()
  const window = await app.open()
  await window.username.waitFor()
  await expect(call(window.page, 'copyToken')).resolves.toMatchObject({ failure: { code: 'sessionEnded' } })
  await window.signIn(ANA)
  const messages = await recordMessages(app.app)
  await expect(call(window.page, 'copyToken')).resolves.toEqual(OK)
  const copied = await app.app.evaluate(({ clipboard }) => clipboard.readText())
  expect(desk.service.issuedSecrets()).toContain(copied)
  expect(JSON.stringify(await messages())).not.toContain(copied)
})

it('the tray menu’s Settings item opens the settings; the next time the window opens, it doesn’t show the settings', async () => {
  const desk = await openDesk()
  const panel = await desk.startPanel()
  const app = await desk.start()
  const window = await app.open()
  await window.close()
  // Waits until the app is signed out, because each change of state replaces the menu and its entries.
  await eventually(() => panel.tooltip()).toBe('Latchkey: Signed out')
  await panel.choose('Settings…')
  const settings = await app.open()
  expect((await viewOf(settings.page)).navigation).toEqual({ screen: 'settings', number: 1 })
  await settings.close()
  await expect(app.startAgain()).resolves.toBe(0)
  expect((await viewOf((await app.open()).page)).navigation).toBeUndefined()
})

/** Replaces the system's dialogs: answers the save dialog with `filePath`, and records the text of each message box. */
async function answerSaving({ app }: DeskApp, filePath: string): Promise<() => Promise<readonly string[]>> {
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

it('saved diagnostics are complete, readable only by the user, and contain no secret', async () => {
  const desk = await openDesk()
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

it('the file manager shows the saved diagnostics, but only once if the page asks several times in a row', async () => {
  const desk = await openDesk()
  const shown = await startFileManager(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  const app = await desk.start()
  const { page } = await app.open()
  await expect(call(page, 'showDiagnostics')).resolves.toEqual(OK)
  const file = path.join(desk.home, 'diagnostics.txt')
  await answerSaving(app, file)
  await expect(call(page, 'saveDiagnostics')).resolves.toEqual(OK)
  expect((await viewOf(page)).savedDiagnostics).toBe(path.basename(desk.home))
  for (let times = 0; times < 5; times++) await expect(call(page, 'showDiagnostics')).resolves.toEqual(OK)
  await expect.poll(() => shown).toEqual([pathToFileURL(file).href])
})

it('the window shows check results in the user’s language, but saved diagnostics are always in English', async () => {
  const desk = await openDesk()
  const app = await desk.start({ env: { LANG: 'de_DE.UTF-8', LANGUAGE: 'de' } })
  const { page } = await app.open()
  await expect(call(page, 'checkComputer')).resolves.toEqual(OK)
  const lines = (await viewOf(page)).check?.lines ?? []
  expect(lines.map(({ name }) => name)).toEqual(expect.arrayContaining(['Einstellungen', 'Schlüsselbund', 'Uhr']))
  expect(lines.map(({ sentence }) => sentence)).toContain('Alle Einstellungen sind gültig.')

  const file = path.join(desk.home, 'diagnostics.txt')
  await answerSaving(app, file)
  await expect(call(page, 'saveDiagnostics')).resolves.toEqual(OK)
  expect(readFileSync(file, 'utf8')).toContain('All settings are valid.')
})

it('if the user cancels saving diagnostics, nothing is written; if saving fails, an error is shown', async () => {
  const desk = await openDesk()
  const app = await desk.start()
  const { page } = await app.open()
  const nothing = await answerSaving(app, '')
  await expect(call(page, 'saveDiagnostics')).resolves.toEqual(OK)
  await expect(nothing()).resolves.toEqual([])
  const said = await answerSaving(app, path.join(desk.home, 'no such folder', 'diagnostics.txt'))
  await expect(call(page, 'saveDiagnostics')).resolves.toEqual(OK)
  await expect(said()).resolves.toEqual(['The file could not be saved.'])
})
