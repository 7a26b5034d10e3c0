/** Single sign-on with a second factor in the window. */
import { expect, it, onTestFinished } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { DEMO_CODES } from '../../demo/second-factor.ts'
import { ANA } from '../../demo/users.ts'
import { viewOf } from '../support/calls.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { findLeaks } from '../support/leaks.ts'
import { heapOf } from '../support/renderer.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()

async function startProvider(): Promise<IdentityProvider> {
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  return provider
}

async function open(desk: Desk, { address, settings }: IdentityProvider) {
  const env = {
    LATCHKEY_AUTH_URL: address,
    LATCHKEY_SSO_PROVIDER_DOMAIN: settings.domain,
    LATCHKEY_SSO_SCOPE: 'openid offline_access',
    LATCHKEY_SSO_AUDIENCE: settings.audience,
    LATCHKEY_SSO_CLIENT_ID: settings.clientId,
    LATCHKEY_SSO_CLIENT_SECRET: settings.clientSecret,
  }
  const app = await desk.start({ env })
  return { app, window: await app.open() }
}

async function begin(window: LatchkeyWindow, username: string): Promise<void> {
  await window.page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).click()
  await window.trySignIn({ username, password: ANA.password })
}
const typeCode = async (window: LatchkeyWindow, label: string, code: string) => {
  await window.page.getByLabel(label, { exact: true }).focus()
  await window.page.keyboard.insertText(code)
  await window.button(texts.buttons.continue).click()
}

/** SECURITY: the page's memory no longer contains this value. */
async function expectNotInHeap(window: LatchkeyWindow, value: string): Promise<void> {
  expect(findLeaks([{ name: 'the secret', value }], [await heapOf(window.page)])).toEqual([])
}

it('the window drops the password, asks for the code until it is right, and ignores a space in it', async () => {
  const { window } = await open(await openDesk(), await startProvider())
  await begin(window, 'ana.app')
  await window.page.getByRole('heading', { name: texts.challenge.heading }).waitFor()
  await expectNotInHeap(window, ANA.password)
  await typeCode(window, texts.fields.code, '111111')
  await window.alert.waitFor()
  await expect(window.page.getByLabel(texts.fields.code).inputValue()).resolves.toBe('')
  const { app: code } = DEMO_CODES
  await typeCode(window, texts.fields.code, `${code.slice(0, 3)} ${code.slice(3)}`)
  await window.signedIn.waitFor()
})

it('the window waits for an approval, and then continues automatically', async () => {
  const { window } = await open(await openDesk(), await startProvider())
  await begin(window, 'ana.push')
  await window.says(texts.challenge.waiting)
  await window.signedIn.waitFor()
})

it('at the next sign-in, the last-used authenticator has the focus', async () => {
  const desk = await openDesk()
  const { window } = await open(desk, await startProvider())
  await begin(window, 'ana.choice')
  await window.page.getByRole('button', { name: texts.challenge.authenticators.textMessage }).click()
  await typeCode(window, texts.fields.code, DEMO_CODES.text)
  await window.signedIn.waitFor()
  expect(desk.settings()).toMatchObject({ usualAuthenticators: { [desk.service.address]: 'sms|dev_2' } })
  await window.signOut()
  await begin(window, 'ana.choice')
  await window.says(texts.challenge.usual)
  await expect(window.page.evaluate(() => document.activeElement?.textContent)).resolves.toContain(
    texts.challenge.usual,
  )
})

it('a new recovery code is shown until the user has saved it, and is then gone from the window', async () => {
  const { window } = await open(await openDesk(), await startProvider())
  await begin(window, 'ana.choice')
  await window.page.getByRole('button', { name: texts.challenge.authenticators.recoveryCode }).click()
  await typeCode(window, texts.fields.recoveryCode, DEMO_CODES.recovery)
  const { newRecoveryCode: words } = texts.challenge
  const shown = window.page.getByLabel(words.label)
  await expect.poll(() => shown.textContent()).toMatch(/^[\w-]{24}$/)
  const code = (await shown.textContent()) ?? ''
  expect(JSON.stringify(await viewOf(window.page))).not.toContain(code)
  await window.button(words.keep).click()
  await window.signedIn.waitFor()
  await expectNotInHeap(window, code)
})

it('the window says why a sign-in fails: no authenticator is enrolled, or the provider has no MFA API', async () => {
  const provider = await startProvider()
  const { window } = await open(await openDesk(), provider)
  await begin(window, 'ana.unenrolled')
  await window.says('You haven’t set up a second factor')
  await window.password.clear()
  provider.inject('authenticators', { kind: 'status', status: 404 })
  await begin(window, 'ana.app')
  await window.says('doesn’t let Latchkey ask for your second factor')
})
