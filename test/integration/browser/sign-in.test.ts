/** Sign-ins at identity providers as they are shipped, through their own pages in a real browser. */
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
import { type Challenge, type Grant, type GrantStep, grantsByName } from '../../../main/session/grants/grant.ts'
import type { AuthorizationServer, TokenPair } from '../../../main/session/ports.ts'
import { SessionEngine } from '../../../main/session/session-engine.ts'
import { loadTexts } from '../../../text/index.ts'
import { type Chromium, startChromium } from '../../support/chromium.ts'
import { type Glewlwyd, startGlewlwyd } from '../../support/glewlwyd.ts'
import { freePort, listening } from '../../support/local-servers.ts'
import { AT_DEFAULTS, CLIENT_ID, type Oidc, redirectAddress, signInAt, startOidc } from '../../support/oidc.ts'
import { ModelMarker, ModelStore } from '../../support/session/model-store.ts'

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

/** A browser sign-in, and the addresses that it opens. */
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

/** An object that remembers whether asking for consent brought a refresh token. */
function memory(helps?: boolean) {
  let known = helps
  return {
    get: () => known,
    set: (value: boolean) => {
      known = value
    },
  }
}

/** A desktop whose keychain outlives the program. Each start creates a new engine. */
function desktopOf(grant: () => Grant) {
  const store = new ModelStore()
  const marker = new ModelMarker()
  const start = async (): Promise<SessionEngine> => {
    const engine = new SessionEngine({
      address: 'https://data.example.com',
      installation: 'of-tests',
      grants: grantsByName([grant()]),
      store: store.open(clock),
      marker,
      clock,
      random: () => 0.5,
    })
    await engine.start()
    return engine
  }
  return { start, entries: store.entries }
}

/** Opens the browser, and resolves when the sign-in has succeeded or failed. */
function answered(engine: SessionEngine): Promise<unknown> {
  const { state } = engine
  if (state.kind !== 'signingIn' || state.challenge === undefined) throw new Error(state.kind)
  return engine.signIn.answer(state.challenge.id, 'browser', {})
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
    const answered = (await challengeOf(grantOf(server, port).grant.begin({}))).answer({})
    await provider.signIn(page)
    return { server, tokens: tokensOf(await answered) }
  }

  it.each(['without', 'with'])('a client %s a secret signs in, and its session can be refreshed', async (kind) => {
    const { clientId, secret } = provider.confidential
    const confidential = { clientId, clientSecret: new Secret('client secret', secret) }
    const { server, tokens } = await signedIn(kind === 'with' ? confidential : {})
    expect(tokens.identity).toBeDefined()
    expect(await server.refresh(refreshTokenOf(tokens))).toMatchObject({ ok: true })
  })

  it('if the provider has ended the session, Latchkey ends it at the third failed refresh, and again after a restart', async () => {
    const server = serverOf({ authAddress: provider.issuer, clientId: provider.publicClient, scope })
    const desktop = desktopOf(() => grantOf(server, port).grant)
    const engine = await desktop.start()
    await engine.signIn.begin('browser', {})
    const first = answered(engine)
    await provider.signIn(page)
    await first
    expect(engine.state).toMatchObject({
      kind: 'active',
      kept: 'keychain',
      account: { displayName: expect.stringMatching(/./) },
    })
    expect(await engine.refresh()).toEqual(OK)
    await provider.endSessions(page)
    expect([(await engine.refresh()).ok, (await engine.refresh()).ok]).toEqual([false, false])
    expect(engine.state).toMatchObject({ kind: 'unreachable' })
    expect(await engine.refresh()).toMatchObject({ ok: false, failure: { code: 'sessionEnded' } })
    expect(engine.state).toMatchObject({ kind: 'ending', failure: { details: { status: 400 } } })
    const kept = [...desktop.entries.values()]
    await engine.stop()
    const restarted = await desktop.start()
    while (restarted.state.kind !== 'expired') await restarted.refresh()
    expect(restarted.state.failure).toMatchObject({ code: 'sessionEnded', details: { status: 400 } })
    expect([...desktop.entries.values()]).toEqual(kept)
    await restarted.signOut()
    expect(restarted.state.kind).toBe('signedOut')
    await restarted.stop()
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
    const consent = memory()
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
    expect(consent.get()).toBe(true)
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

  it('if the user declines at the provider, the sign-in fails with that reason', async () => {
    const answered = (await challengeOf(grantOf(serverOf(options()), 0).grant.begin({}))).answer({})
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await answered).toMatchObject({ kind: 'failure', failure: { problem: 'consentDenied' } })
    await page.getByRole('heading', { name: PAGE.texts.declined.title }).waitFor()
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

/**
 * The mix-up attack (RFC 9700 section 4.4.1): a hostile provider's page sends the browser on to an honest provider,
 * with the challenge and the state of the sign-in at the hostile provider.
 */
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
