import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { viewOf } from '../support/calls.ts'
import { runInto, withCrashPoints } from '../support/crash.ts'
import { pendingTokens, storedToken } from '../support/entry.ts'
import { filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { watchOpenedAddresses } from '../support/opened-addresses.ts'
import { ssoVariables } from '../support/sso-variables.ts'
import { openTestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()

async function signInInBrowser(window: LatchkeyWindow, app: TestDesktopApp): Promise<void> {
  const opened = await watchOpenedAddresses(app)
  await window.page.getByRole('radio', { name: texts.signIn.methods.browser }).click()
  await window.button(texts.buttons.continueInBrowser).click()
  const address = await opened.next(1)
  const body = new URLSearchParams({ username: ANA.username, password: ANA.password })
  const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  await fetch(headers.get('location') ?? '')
}

/** Crash points, and what the next start finds. After `lost`, a refresh token stays valid until it expires. */
const STEPS = [
  ['open:after:1', 'nothing'],
  ['redeem:after:1', 'lost'],
  ['mark-stored:after:1', 'lost'],
  ['write:after:1', 'session'],
] as const

it('each crash during a sign-in in the browser leaves a complete session or none', async () => {
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  const env = { ...ssoVariables(provider), LATCHKEY_SSO_FLOW: 'browser' }
  const desk = await openTestDesktop({ alter: withCrashPoints })
  const validTokens = () => provider.issuedSecrets().filter((each) => provider.isRefreshTokenValid(each))
  /** SECURITY: expects that no file contains a password, verifier, code, MFA token or token. */
  const expectNothingOnDisk = () => {
    const secrets = [
      ...tokensAsSecrets(provider.issuedSecrets()),
      { name: 'password', value: ANA.password },
      { name: 'client secret', value: provider.settings.clientSecret },
    ]
    const files = [...filesUnder(desk.dataFolder), ...filesUnder(desk.home)]
    expect(findLeaks(secrets, files)).toEqual([])
  }
  const signInAfter = async (crashPoint: string, window: LatchkeyWindow, app: TestDesktopApp) => {
    // The settings say that the keychain has an entry, but the app finds none. The keychain may just be locked, so the
    // window doesn't say that the user is signed out.
    const isMarked = crashPoint.startsWith('mark')
    const kind = async () => (await viewOf(window.page)).session.kind
    await expect.poll(kind).toBe(isMarked ? 'sessionUnread' : 'signedOut')
    if (isMarked) await window.button(texts.buttons.signIn).click()
    await signInInBrowser(window, app)
  }

  let last = ''
  for (const [crashPoint, left] of STEPS) {
    const earlier = validTokens()
    await runInto(desk, crashPoint, (window, app) => signInAfter(last, window, app), env)
    expectNothingOnDisk()
    const added = validTokens().filter((each) => !earlier.includes(each))
    expect([crashPoint, added.length]).toEqual([crashPoint, left === 'nothing' ? 0 : 1])
    expect(await storedToken(desk)).toBe(left === 'session' ? added[0] : undefined)
    last = crashPoint
  }

  const app = await desk.start({ env })
  const window = await app.open()
  await window.signedIn.waitFor()
  expect(await pendingTokens(desk)).toEqual([])
  expect(validTokens()).toContain(await storedToken(desk))
  expectNothingOnDisk()
})
