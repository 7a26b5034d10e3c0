import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { call } from '../support/calls.ts'
import { confirmDialogs } from '../support/dialogs.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { own } from '../support/ordinary-user.ts'
import { recordMessages } from '../support/renderer.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const SECRET = 'ginger-otter-4711'

it('a saved provider works after a restart; its client secret is only in the keychain, and in no saved diagnostics', async () => {
  const desk = await openTestDesktop()
  const provider = await startIdentityProvider({ clientSecret: SECRET })
  onTestFinished(() => provider.stop())
  const { domain: providerDomain, ...settings } = provider.settings
  const values = { ...settings, providerDomain, authUrl: provider.address, scope: 'openid offline_access' }
  const first = await desk.start({ baseUrl: null })
  const window = await first.open()
  await confirmDialogs(first)
  const messages = await recordMessages(first.app)
  await expect(call(window.page, 'saveSettings', { baseAddress: desk.service.address, ...values })).resolves.toEqual(OK)
  const entry = JSON.stringify({ version: 1, issuer: provider.address, clientSecret: SECRET })
  await expect(desk.keyring.lookup(`${desk.service.address} client secret`)).resolves.toBe(entry)
  await window.page.getByRole('radio', { name: 'Single sign-on' }).check()
  await window.signIn(ANA)

  const file = path.join(desk.home, 'diagnostics.txt')
  writeFileSync(file, 'from last year'.repeat(1_000), { mode: 0o644 })
  own(file)
  await first.app.evaluate(({ dialog }, filePath) => {
    const save: unknown = async () => ({ canceled: false, filePath })
    dialog.showSaveDialog = save as typeof dialog.showSaveDialog
  }, file)
  await expect(call(window.page, 'saveDiagnostics')).resolves.toEqual(OK)
  const text = readFileSync(file, 'utf8')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(text).toContain('clientSecret: set, not shown (set by the user)')
  expect(text).toContain('info  session.state')
  expect(text).not.toContain('from last year')
  const received = (await messages()).map(({ channel, args }) => evidence(`a message on ${channel}`, args))
  await first.quit()

  const second = await desk.start({ baseUrl: null })
  await (await second.open()).signedIn.waitFor()
  await second.quit()
  const secrets = [
    ...tokensAsSecrets(provider.issuedSecrets()),
    { name: 'client secret', value: SECRET },
    { name: 'password', value: ANA.password },
  ]
  const printed = [first, second].map((each) => evidence('what it printed', each.printed()))
  const files = [...filesUnder(desk.dataFolder), ...filesUnder(desk.home)]
  expect(findLeaks(secrets, [...files, ...printed, ...received])).toEqual([])
})
