import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { OK } from '../../../contract/failures.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { type RefreshToken, Secret } from '../../../main/base/secret.ts'
import {
  type AuthorizationServerOptions,
  BrowserAuthorizationServer,
} from '../../../main/service/authorization-server.ts'
import { listenForCallback } from '../../../main/service/callback-listener.ts'
import { createHttpClient } from '../../../main/service/http-client.ts'
import { type BrowserPorts, browserGrant } from '../../../main/session/grants/browser.ts'
import type { Challenge, GrantStep } from '../../../main/session/grants/grant.ts'
import type { AuthorizationServer, TokenPair } from '../../../main/session/ports.ts'
import { loadTexts } from '../../../text/index.ts'
import { type Chromium, startChromium } from '../../support/chromium.ts'
import { type Glewlwyd, startGlewlwyd } from '../../support/glewlwyd.ts'
import { freePort, listening } from '../../support/local-servers.ts'
import { AT_DEFAULTS, CLIENT_ID, type Oidc, redirectAddress, signInAt, startOidc } from '../../support/oidc.ts'

const PAGE = { language: 'en', texts: (await loadTexts('en')).browserPage }
const clock = new DeadlineClock(systemTime)

let chromium: Chromium
let page: Page
beforeAll(async () => {
  chromium = await startChromium()
})
afterAll(() => chromium?.stop())
beforeEach(async () => {
  await chromium.context.clearCookies()
  page = await chromium.context.newPage()
})
afterEach(async () => {
  // The first page stays open, because Chromium would end without a page.
  for (const each of chromium.context.pages().slice(1)) await each.close()
})

type Options = Pick<AuthorizationServerOptions, 'authAddress' | 'clientId' | 'scope'> &
  Partial<AuthorizationServerOptions>

const serverOf = (options: Options) =>
  new BrowserAuthorizationServer({ http: createHttpClient({ userAgent: 'Latchkey/test', clock }), ...options })

function grantOf(server: AuthorizationServer, port: number, consent?: BrowserPorts['consent']) {
  const opened: URLSearchParams[] = []
  const grant = browserGrant(server, {
    clock,
    listen: (isOurs) => listenForCallback({ port, issuer: server.issuer, isOurs, page: PAGE }),
    open: async (address) => {
      opened.push(address.searchParams)
      // A later address gets a new page, as in the system's browser, because the first page is still loading the app's
      // callback.
      if (opened.length > 1) page = await chromium.context.newPage()
      await page.goto(address.href)
      return OK
    },
    onReturn: () => {},
    ...(consent && { consent }),
  })
  return { grant, opened }
}

async function challengeOf(step: Promise<GrantStep>): Promise<Challenge> {
  const found = await step
  if (found.kind !== 'challenge') throw new Error(JSON.stringify(found))
  onTestFinished(() => found.challenge.cancel())
  return found.challenge
}

function tokensOf(step: GrantStep): TokenPair {
  if (step.kind !== 'tokens') throw new Error(JSON.stringify(step))
  return step.tokens
}

function refreshTokenOf({ refreshToken }: TokenPair): RefreshToken {
  if (refreshToken === undefined) throw new Error('no refresh token')
  return refreshToken
}

describe('glewlwyd', () => {
  const scope = 'openid profile offline_access'
  let provider: Glewlwyd
  let port: number
  beforeAll(async () => {
    port = await freePort()
    provider = await startGlewlwyd((issuer) => redirectAddress(issuer, port))
  })
  afterAll(() => provider?.stop())

  async function signedIn(over: Partial<AuthorizationServerOptions>) {
    const options = { authAddress: provider.issuer, clientId: provider.publicClient, scope, ...over }
    const server = serverOf(options)
    await chromium.context.clearCookies()
    const answered = (await challengeOf(grantOf(server, port).grant.begin({}))).answer({})
    await provider.signIn(page)
    return { server, tokens: tokensOf(await answered) }
  }

  it('a client with or without a secret signs in, refreshes its session, and gets a bare 400 once that is ended', async () => {
    const { clientId, secret } = provider.confidential
    const confidential = await signedIn({ clientId, clientSecret: new Secret('client secret', secret) })
    expect(await confidential.server.refresh(refreshTokenOf(confidential.tokens))).toMatchObject({ ok: true })
    const { server, tokens } = await signedIn({})
    expect(tokens.identity).toBeDefined()
    const refreshed = await server.refresh(refreshTokenOf(tokens))
    if (!refreshed.ok) throw new Error(JSON.stringify(refreshed.failure))
    await provider.endSessions(page)
    const failure = { code: 'malformedResponse', details: { status: 400 } }
    expect(await server.refresh(refreshTokenOf(refreshed.value))).toMatchObject({ failure })
  })
})

describe('oidc-provider at its defaults', () => {
  let oidc: Oidc
  beforeAll(async () => {
    oidc = await startOidc(AT_DEFAULTS)
  })
  afterAll(() => oidc?.stop())

  const scope = 'openid profile offline_access'
  const options = () => ({ authAddress: oidc.address, clientId: CLIENT_ID, scope })

  it('if a sign-in brings no refresh token, Latchkey asks for consent, and remembers that consent brought one', async () => {
    let known: boolean | undefined
    const consent = {
      get: () => known,
      set(helps: boolean) {
        known = helps
      },
    }
    const { grant, opened } = grantOf(serverOf(options()), 0, consent)
    const answered = (await challengeOf(grant.begin({}))).answer({})
    await signInAt(page)
    const second = await challengeOf(answered)
    expect(second.description).toEqual({ kind: 'browser', consent: true })
    const consented = second.answer({})
    await page.getByRole('button', { name: 'Continue' }).click()
    const tokens = tokensOf(await consented)
    expect(tokens.refreshToken).toBeDefined()
    expect(tokens.identity).toMatchObject({ name: 'Ana Duarte' })
    expect(opened.map((parameters) => parameters.get('prompt'))).toEqual([null, 'consent'])
    expect(known).toBe(true)
  })

  it('a provider that requires a pushed authorization request (RFC 9126) gets one', async () => {
    const features = {
      devInteractions: { enabled: true },
      pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
    }
    const pushing = await startOidc({ ...AT_DEFAULTS, features })
    onTestFinished(() => pushing.stop())
    const { grant, opened } = grantOf(serverOf({ ...options(), authAddress: pushing.address }), 0)
    const answered = (await challengeOf(grant.begin({}))).answer({})
    await signInAt(page)
    expect(tokensOf(await answered).identity).toMatchObject({ sub: 'ana' })
    expect(opened.map((parameters) => parameters.has('code_challenge'))).toEqual([false])
  })

  it.each(['its own', 'the honest provider’s'])(
    'SECURITY: a hostile provider whose page leads to an honest provider, with %s redirect address, gets no code',
    async (whose) => {
      const hostile = await startMixUp(oidc.address, whose === 'its own')
      onTestFinished(() => hostile.stop())
      const { grant, opened } = grantOf(serverOf({ ...options(), authAddress: hostile.address }), 0)
      const challenge = await challengeOf(grant.begin({}))
      const answered = challenge.answer({})
      if (whose === 'its own') await page.getByText('redirect_uri').first().waitFor()
      else await signInAt(page)
      const redirect = new URL(opened[0]?.get('redirect_uri') ?? '')
      expect((await fetch(`${redirect.origin}/callback`)).status).toBe(404)
      await challenge.cancel()
      expect(await answered).toMatchObject({ kind: 'failure' })
      expect(hostile.redeemed).toEqual([])
    },
  )
})

/** The mix-up attack (RFC 9700 section 4.4.1): a hostile provider's page sends the browser on to an honest provider. */
async function startMixUp(honest: string, keepsRedirect: boolean) {
  const redeemed: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', address)
    if (pathname === '/.well-known/openid-configuration') {
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
