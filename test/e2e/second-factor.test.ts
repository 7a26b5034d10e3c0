/** Single sign-on with a second factor in the window. */
import { expect, it, onTestFinished } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { DEMO_CODES } from '../../demo/second-factor.ts'
import { ANA } from '../../demo/users.ts'
import { viewOf } from '../support/calls.ts'
import { findLeaks } from '../support/leaks.ts'
import { heapOf } from '../support/renderer.ts'
import { ssoVariables } from '../support/sso-variables.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()

async function startProvider(): Promise<IdentityProvider> {
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  return provider
}

async function open(desk: TestDesktop, provider: IdentityProvider) {
  const app = await desk.start({ env: ssoVariables(provider) })
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

/** SECURITY: expects that the page's memory no longer contains this value. */
async function expectNotInHeap(window: LatchkeyWindow, value: string): Promise<void> {
  expect(findLeaks([{ name: 'the secret', value }], [await heapOf(window.page)])).toEqual([])
}

it('the window drops the password, asks for the code until it is right, and ignores spaces in the code', async () => {
  const { window } = await open(await openTestDesktop(), await startProvider())
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

it('a new recovery code is shown until the user has saved it, and is then gone from the window', async () => {
  const { window } = await open(await openTestDesktop(), await startProvider())
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
