import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { DEMO_CODES } from '../../demo/second-factor.ts'
import { ANA } from '../../demo/users.ts'
import { findLeaks } from '../support/leaks.ts'
import { heapOf } from '../support/renderer.ts'
import { ssoVariables } from '../support/sso-variables.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

it('the window drops the password, asks for the code until it is right, and ignores spaces in the code', async () => {
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  const app = await (await openTestDesktop()).start({ env: ssoVariables(provider) })
  const window = await app.open()
  const typeCode = async (code: string) => {
    await window.page.getByLabel(texts.fields.code, { exact: true }).focus()
    await window.page.keyboard.insertText(code)
    await window.button(texts.buttons.continue).click()
  }
  await window.page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).click()
  await window.trySignIn({ username: 'ana.app', password: ANA.password })
  await window.page.getByRole('heading', { name: texts.challenge.heading }).waitFor()
  // SECURITY: the page's memory no longer contains the password.
  expect(findLeaks([{ name: 'the password', value: ANA.password }], [await heapOf(window.page)])).toEqual([])
  await typeCode('111111')
  await window.alert.waitFor()
  const { app: code } = DEMO_CODES
  await typeCode(`${code.slice(0, 3)} ${code.slice(3)}`)
  await window.signedIn.waitFor()
})
