/** The app is killed (kill -9) at each step of a sign-in in the browser and with a second factor, and started again. */
import { expect, it, onTestFinished } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { DEMO_CODES } from '../../demo/second-factor.ts'
import { ANA } from '../../demo/users.ts'
import { viewOf } from '../support/calls.ts'
import { runInto, withCrashPoints } from '../support/crash.ts'
import { pendingTokens, storedToken } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { watchOpenedAddresses } from '../support/opened-addresses.ts'
import { openTestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()

/**
 * What the next start finds. `lost` means that the provider's response is lost, with a refresh token that stays valid
 * until it expires (docs/developers/security-limits.md).
 */
type Left = 'nothing' | 'lost' | 'session'
type Step = readonly [crashPoint: string, left: Left]

/** Completes the sign-in, unless the app ends first. */
type SignIn = (window: LatchkeyWindow, app: TestDesktopApp) => Promise<void>

const inBrowser: SignIn = async (window, app) => {
  const opened = await watchOpenedAddresses(app)
  await window.page.getByRole('radio', { name: texts.signIn.methods.browser }).click()
  await window.button(texts.buttons.continueInBrowser).click()
  const address = await opened.next(1)
  const body = new URLSearchParams({ username: ANA.username, password: ANA.password })
  const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  await fetch(headers.get('location') ?? '')
}

const withSecondFactor: SignIn = async (window) => {
  const { page } = window
  await page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).click()
  await window.trySignIn({ username: 'ana.choice', password: ANA.password })
  await page.getByRole('button', { name: texts.challenge.authenticators.textMessage }).click()
  await page.getByLabel(texts.fields.code, { exact: true }).fill(DEMO_CODES.text)
  await window.button(texts.buttons.continue).click()
}

const FLOWS: readonly (readonly [flow: string, signIn: SignIn, steps: readonly Step[]])[] = [
  [
    'browser',
    inBrowser,
    [
      ['open:after:1', 'nothing'],
      ['redeem:after:1', 'lost'],
      ['mark-stored:after:1', 'lost'],
      ['write:after:1', 'session'],
    ],
  ],
  [
    'password-realm',
    withSecondFactor,
    [
      ['challenge:after:1', 'nothing'],
      ['verify:after:1', 'lost'],
    ],
  ],
]

const environment = (flow: string, { address, settings }: IdentityProvider) => ({
  LATCHKEY_AUTH_URL: address,
  LATCHKEY_SSO_FLOW: flow,
  LATCHKEY_SSO_PROVIDER_DOMAIN: settings.domain,
  LATCHKEY_SSO_SCOPE: 'openid offline_access',
  LATCHKEY_SSO_AUDIENCE: settings.audience,
  LATCHKEY_SSO_CLIENT_ID: settings.clientId,
  LATCHKEY_SSO_CLIENT_SECRET: settings.clientSecret,
})

it.each(FLOWS)('each crash during a sign-in (%s) leaves a complete session or none', async (flow, signIn, steps) => {
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  const env = environment(flow, provider)
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
  /** Expects the state that the app shows after this crash, and signs in. */
  const signInAfter = async (crashPoint: string, window: LatchkeyWindow, app: TestDesktopApp) => {
    // The settings say that the keychain has an entry, but the app finds none. The keychain may just be locked, so the
    // window doesn't say that the user is signed out.
    const isMarked = crashPoint.startsWith('mark')
    const kind = async () => (await viewOf(window.page)).session.kind
    await eventually(kind).toBe(isMarked ? 'sessionUnread' : 'signedOut')
    if (isMarked) await window.button(texts.buttons.signIn).click()
    await signIn(window, app)
  }

  let last = ''
  for (const [crashPoint, left] of steps) {
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
  if (steps.at(-1)?.[1] !== 'session') await signInAfter(last, window, app)
  await window.signedIn.waitFor()
  expect(await pendingTokens(desk)).toEqual([])
  expect(validTokens()).toContain(await storedToken(desk))
  expectNothingOnDisk()
})
