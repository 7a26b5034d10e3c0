/** Kills the app (kill -9) at each step of a browser sign-in and of a second-factor sign-in, then restarts the app. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { DEMO_CODES } from '../../demo/second-factor.ts'
import { ANA } from '../../demo/users.ts'
import { viewOf } from '../support/calls.ts'
import { runInto, withCrashPoints } from '../support/crash.ts'
import { type DeskApp, openDesk } from '../support/desk.ts'
import { pendingTokens, storedToken } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { watchOutside } from '../support/outside.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()

/**
 * The result of the crash, which the next start finds. `lost`: the provider's answer was lost with the process. The
 * refresh token in that answer can't be revoked, because the app never stored the token. The token expires at the
 * provider (docs/security.md).
 */
type Left = 'nothing' | 'lost' | 'session'
type Step = readonly [name: string, crashPoint: string, left: Left]

const STORING: readonly Step[] = [
  ['marked as stored, but not written', 'mark-stored:after:1', 'lost'],
  ['about to be written', 'write:before:1', 'lost'],
  ['stored, but not announced', 'write:after:1', 'session'],
]

/** Completes a sign-in, unless the app ends first. */
type SignIn = (window: LatchkeyWindow, app: DeskApp) => Promise<void>

const inBrowser: SignIn = async (window, app) => {
  const outside = await watchOutside(app)
  await window.page.getByRole('radio', { name: texts.signIn.methods.browser }).click()
  await window.button(texts.buttons.continueInBrowser).click()
  const address = await outside.next(1)
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
      ['the browser is open', 'open:after:1', 'nothing'],
      ['the code is exchanged', 'redeem:after:1', 'lost'],
      ...STORING,
    ],
  ],
  [
    'password-realm',
    withSecondFactor,
    [
      ['the code is sent', 'challenge:after:1', 'nothing'],
      ['the tokens are there', 'verify:after:1', 'lost'],
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

describe.each(FLOWS)('a crash during a sign-in (%s) leaves a complete session or none', (flow, signIn, steps) => {
  it.each(steps)('%s', async (_, crashPoint, left) => {
    const provider = await startIdentityProvider()
    onTestFinished(() => provider.stop())
    const env = environment(flow, provider)
    const desk = await openDesk({ alter: withCrashPoints })
    const validTokens = () => provider.issuedSecrets().filter((each) => provider.isRefreshTokenValid(each))
    /** SECURITY: no file contains a password, verifier, code, MFA token or token. */
    const expectNothingOnDisk = () => {
      const secrets = [
        ...tokensAsSecrets(provider.issuedSecrets()),
        { name: 'password', value: ANA.password },
        { name: 'client secret', value: provider.settings.clientSecret },
      ]
      const files = [...filesUnder(desk.dataFolder), ...filesUnder(desk.home)]
      expect(findLeaks(secrets, files)).toEqual([])
    }

    await runInto(desk, crashPoint, signIn, env)
    expectNothingOnDisk()
    const stored = await storedToken(desk)
    const valid = validTokens()
    expect(valid).toHaveLength(left === 'nothing' ? 0 : 1)
    expect(stored).toBe(left === 'session' ? valid[0] : undefined)

    const app = await desk.start({ env })
    const window = await app.open()
    if (left !== 'session') {
      // A marker in the settings says that the keychain has an entry, but the app finds none. The keychain may merely
      // be locked, so the window doesn't say that the user is signed out.
      const isMarked = /^(mark|write)/.test(crashPoint)
      const kind = async () => (await viewOf(window.page)).session.kind
      await eventually(kind).toBe(isMarked ? 'sessionUnread' : 'signedOut')
      if (isMarked) await window.button(texts.buttons.signIn).click()
      await signIn(window, app)
    }
    await window.signedIn.waitFor()
    expect(await pendingTokens(desk)).toEqual([])
    expect(validTokens()).toContain(await storedToken(desk))
    expectNothingOnDisk()
  })
})
