import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { askAgent } from '../support/ask-agent.ts'
import { viewOf } from '../support/calls.ts'
import { type Chromium, startChromium } from '../support/chromium.ts'
import { storedToken } from '../support/entry.ts'
import { findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { visibleWindows } from '../support/main-process.ts'
import { CLIENT_ID, type Oidc, SCOPE, signInAt, startOidc } from '../support/oidc.ts'
import { watchOpenedAddresses } from '../support/opened-addresses.ts'
import { heapOf } from '../support/renderer.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()
const { browser: words } = texts.challenge

let chromium: Chromium
let oidc: Oidc
beforeAll(async () => {
  chromium = await startChromium()
  oidc = await startOidc()
})
afterAll(async () => {
  await chromium?.stop()
  await oidc?.stop()
})

const env = () => ({
  LATCHKEY_AUTH_URL: oidc.address,
  LATCHKEY_SSO_FLOW: 'browser',
  LATCHKEY_SSO_CLIENT_ID: CLIENT_ID,
  LATCHKEY_SSO_SCOPE: SCOPE,
})

async function newPage(): Promise<Page> {
  await chromium.context.clearCookies()
  const page = await chromium.context.newPage()
  onTestFinished(() => page.close())
  return page
}

async function start(desk: TestDesktop) {
  const app = await desk.start({ env: env() })
  return { app, opened: await watchOpenedAddresses(app), window: await app.open() }
}
const begin = async (window: LatchkeyWindow) => {
  await window.page.getByRole('radio', { name: texts.signIn.methods.browser }).click()
  // The second click of a double click must not cancel the sign-in.
  await window.button(texts.buttons.continueInBrowser).dblclick()
}

it('a session from a browser sign-in serves tools, is refreshed, outlives a restart, and is revoked', async () => {
  const desk = await openTestDesktop()
  const first = await start(desk)
  await begin(first.window)
  await first.window.page.getByRole('heading', { name: words.heading }).waitFor()
  // A tool that asks during the sign-in is told at once that the sign-in isn't finished.
  await expect(askAgent(desk)).resolves.toMatch(/^401 .*Finish the sign-in in your browser/)
  await first.app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  const page = await newPage()
  let code = ''
  page.on('request', (request) => {
    code = new URL(request.url()).searchParams.get('code') ?? code
  })
  await page.goto(await first.opened.next(1))
  await signInAt(page)
  await page.getByRole('heading', { name: texts.browserPage.signedIn.title }).waitFor()
  await first.window.signedIn.waitFor()
  await expect.poll(() => visibleWindows(first.app.app)).toBe(1)
  await expect(first.window.signedIn.getAttribute('aria-label')).resolves.toContain('Ana Duarte')
  await expect(askAgent(desk)).resolves.toMatch(/^200 /)
  const token = (await storedToken(desk)) ?? ''
  expect([code, token]).not.toContain('')
  // SECURITY: neither the code nor a token reaches the window.
  expect(findLeaks(tokensAsSecrets([code, token]), [await heapOf(first.window.page)])).toEqual([])
  await first.window.choose('Renew now')
  await expect.poll(() => storedToken(desk)).not.toBe(token)
  await first.app.quit()

  const second = await start(desk)
  await second.window.signedIn.waitFor()
  const last = (await storedToken(desk)) ?? ''
  await second.window.choose(texts.buttons.signOut)
  await second.window.button(texts.buttons.continueInBrowser).waitFor()
  await expect.poll(() => oidc.requests.includes('/token/revocation')).toBe(true)
  await expect.poll(async () => (await viewOf(second.window.page)).session).toMatchObject({ revocation: 'done' })
  await expect(oidc.provider.RefreshToken.find(last)).resolves.toBeUndefined()
})
