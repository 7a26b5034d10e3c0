/** A sign-in through the page of a certified OpenID provider, in a real browser. */
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { OK } from '../../../contract/failures.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { BrowserAuthorizationServer } from '../../../main/service/authorization-server.ts'
import { listenForCallback } from '../../../main/service/callback-listener.ts'
import { createHttpClient } from '../../../main/service/http-client.ts'
import { browserGrant } from '../../../main/session/grants/browser.ts'
import type { Challenge } from '../../../main/session/grants/grant.ts'
import type { AuthorizationServer } from '../../../main/session/ports.ts'
import { loadTexts } from '../../../text/index.ts'
import { type Chromium, startChromium } from '../../support/chromium.ts'
import { listening } from '../../support/local-servers.ts'
import { CLIENT_ID, type Oidc, redirectAddress, SCOPE, signInAt, startOidc } from '../../support/oidc.ts'

const PAGE = { language: 'en', texts: (await loadTexts('en')).browserPage }
const DISCOVERY = '/.well-known/openid-configuration'
const clock = new DeadlineClock(systemTime)

let chromium: Chromium
let oidc: Oidc
let page: Page
let opened: URL[] = []
beforeAll(async () => {
  chromium = await startChromium()
  oidc = await startOidc()
})
afterAll(async () => {
  await chromium?.stop()
  await oidc?.stop()
})
beforeEach(async () => {
  opened = []
  await chromium.context.clearCookies()
  page = await chromium.context.newPage()
})
afterEach(async () => {
  await page.close()
})

const serverOf = (authAddress = oidc.address): AuthorizationServer =>
  new BrowserAuthorizationServer({
    authAddress,
    clientId: CLIENT_ID,
    scope: SCOPE,
    http: createHttpClient({ userAgent: 'Latchkey/test', clock }),
  })

const grantOf = (server: AuthorizationServer) =>
  browserGrant(server, {
    clock,
    listen: (isOurs) => listenForCallback({ port: 0, issuer: server.issuer, isOurs, page: PAGE }),
    open: async (address) => {
      opened.push(address)
      await page.goto(address.href)
      return OK
    },
    onReturn: () => {},
  })

async function begin(server = serverOf()): Promise<Challenge> {
  const step = await grantOf(server).begin({})
  if (step.kind !== 'challenge') throw new Error(JSON.stringify(step))
  onTestFinished(() => step.challenge.cancel())
  return step.challenge
}
it('if the user declines at the provider, the sign-in fails with that reason', async () => {
  const answered = (await begin()).answer({})
  await page.getByRole('link', { name: 'Cancel' }).click()
  expect(await answered).toMatchObject({ kind: 'failure', failure: { problem: 'consentDenied' } })
  await page.getByRole('heading', { name: PAGE.texts.declined.title }).waitFor()
})

it.each(['its own', 'the honest provider’s'])(
  'SECURITY: a hostile provider whose page leads to an honest provider, with %s redirect address, gets no code',
  async (whose) => {
    const hostile = await startMixUp(oidc.address, whose === 'its own')
    onTestFinished(() => hostile.stop())
    const challenge = await begin(serverOf(hostile.address))
    const answered = challenge.answer({})
    if (whose === 'its own') await page.getByText('redirect_uri').first().waitFor()
    else await signInAt(page)
    const redirect = new URL(opened[0]?.searchParams.get('redirect_uri') ?? '')
    expect((await fetch(`${redirect.origin}/callback`)).status).toBe(404)
    await challenge.cancel()
    expect(await answered).toMatchObject({ kind: 'failure' })
    expect(hostile.redeemed).toEqual([])
  },
)

/**
 * The mix-up attack (RFC 9700 section 4.4.1): a hostile provider's page sends the browser on to an honest provider,
 * with the challenge and the state of the sign-in at the hostile provider.
 */
async function startMixUp(honest: string, keepsRedirect: boolean) {
  const redeemed: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', address)
    if (pathname === DISCOVERY) {
      const metadata = {
        issuer: address,
        authorization_endpoint: `${address}/auth`,
        token_endpoint: `${address}/token`,
      }
      response.end(JSON.stringify(metadata))
    } else if (pathname === '/auth') {
      const { port } = new URL(searchParams.get('redirect_uri') ?? '')
      if (!keepsRedirect) searchParams.set('redirect_uri', redirectAddress(honest, Number(port)))
      response.writeHead(302, { location: `${honest}/auth?${searchParams}` }).end()
    } else {
      redeemed.push(pathname)
      response.writeHead(400).end()
    }
  })
  const { port, stop } = await listening(server)
  const address = `http://127.0.0.1:${port}`
  return { address, redeemed, stop }
}
