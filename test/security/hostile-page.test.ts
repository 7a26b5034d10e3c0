import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CallInput, calls, type LatchkeyApi } from '../../contract/calls.ts'
import { SUBSCRIBE_CHANNEL } from '../../contract/channels.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { SettingProblems } from '../../contract/settings.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { MemoryStore } from '../../main/keychain/memory-store.ts'
import { scriptedServer } from '../../main/service/testing.ts'
import { viewOf as sessionView } from '../../main/session/state.ts'
import { startedDesktop } from '../../main/session/testing/desktop.ts'
import { parsePolicy } from '../../main/settings/policy.ts'
import { Settings } from '../../main/settings/settings.ts'
import { UserSettings } from '../../main/settings/user-settings.ts'
import { trayModel } from '../../main/surfaces/tray-model.ts'
import { loadTexts } from '../../text/index.ts'
import { call, viewOf } from '../support/calls.ts'
import { openDesk } from '../support/desk.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { eventually } from '../support/eventually.ts'
import { startNameServer } from '../support/name-server.ts'
import { rootOnly } from '../support/systems.ts'
import { sentences } from '../support/window.ts'

const NEW = 'a longer quiet harbour'
const notConfirmed = { ok: false, failure: { code: 'notConfirmed' } }
const { destination: words } = (await sentences()).desktop

/** A user signed in by single sign-on, and a second server to which a hostile page tries to send the credentials. */
async function signedInBySso() {
  const desk = await openDesk()
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  const evil = await scriptedServer()
  onTestFinished(() => evil.stop())
  const { domain: providerDomain, ...settings } = provider.settings
  const values = { ...settings, providerDomain, authUrl: provider.address, scope: 'openid offline_access' }
  const app = await desk.start({ baseUrl: null })
  // A user who confirms every request of the page.
  await answerDialogs(app, 'confirm')
  const window = await app.open()
  await call(window.page, 'saveSettings', { baseAddress: desk.service.address, ...values })
  await window.page.getByRole('radio', { name: 'Single sign-on' }).check()
  await window.signIn(ANA)
  return { desk, provider, evil, app, window, values }
}

/** The window of a signed-in person, and their service. */
async function signedInPage() {
  const desk = await openDesk()
  const window = await (await desk.start()).open()
  await window.signIn(ANA)
  return { service: desk.service, page: window.page }
}

/** Starts an app and another service. The app's page adds the first connection, which needs no confirmation. */
async function openFirst() {
  const desk = await openDesk()
  const elsewhere = await startDemoService()
  onTestFinished(() => elsewhere.stop())
  const app = await desk.start({ baseUrl: null })
  const { page } = await app.open()
  await expect(call(page, 'saveSettings', { baseAddress: desk.service.address })).resolves.toMatchObject({ ok: true })
  return { desk, app, page, elsewhere }
}

describe('A script that got into Latchkey’s window', () => {
  test('a refresh token is never sent to a changed provider address', async () => {
    const { desk, provider, evil, window, values } = await signedInBySso()
    const { page } = window
    const stolen = [...provider.issuedSecrets(), values.clientSecret]
    const { authUrl, clientSecret, scope, audience, clientId } = values
    const none = { authUrl: '', scope: '', audience: '', clientId: '', clientSecret: '' }
    const rest = { scope, audience, clientId, clientSecret: 'dummy' }
    const sequences: readonly (readonly CallInput<'saveSettings'>[])[] = [
      [{ authUrl: evil.address, clientSecret: 'dummy' }],
      [none, { ...rest, authUrl: evil.address }],
      [{ baseAddress: 'http://127.0.0.1:9' }, { authUrl: evil.address, clientSecret: 'dummy' }],
    ]
    for (const sequence of sequences) {
      for (const values of sequence) await expect(call(page, 'saveSettings', values)).resolves.toEqual(OK)
      await expect(call(page, 'saveSettings', { baseAddress: desk.service.address })).resolves.toEqual(OK)
      await eventually(async () => (await viewOf(page)).session).toMatchObject({
        kind: 'signedOut',
        failure: { code: 'sessionEnded', details: { cause: 'session of another issuer' } },
      })
      await call(page, 'refreshNow')
      // The session is not lost. It continues when the page saves the address of the session's own provider.
      await expect(call(page, 'saveSettings', { ...rest, authUrl, clientSecret })).resolves.toEqual(OK)
      await eventually(async () => (await viewOf(page)).session.kind).toBe('active')
    }
    expect(evil.received.filter(({ body }) => stolen.some((each) => body.includes(each)))).toEqual([])
  })

  // ---

  test('a stored client secret is never sent to a changed provider address', async () => {
    const { desk, evil, app, window, values } = await signedInBySso()
    const { page } = window
    const { authUrl, clientSecret, scope, audience, clientId } = values
    const none = { authUrl: '', scope: '', audience: '', clientId: '', clientSecret: '' }
    const elsewhere = { authUrl: evil.address, scope, audience, clientId }
    const refused = (fields: SettingProblems) => ({ ok: false, failure: { code: 'invalidInput', fields } })
    const tryEvil = () => call(page, 'signIn', { grant: 'passwordRealm', username: 'ana', password: 'typed' })

    await expect(call(page, 'saveSettings', elsewhere)).resolves.toMatchObject(refused({ clientSecret: 'enterAgain' }))
    await call(page, 'saveSettings', { baseAddress: 'http://127.0.0.1:9' })
    await expect(call(page, 'saveSettings', elsewhere)).resolves.toMatchObject(refused({ clientSecret: 'enterAgain' }))
    await expect(call(page, 'addConnection', { name: 'x', baseAddress: desk.service.address })).resolves.toEqual(OK)
    await expect(call(page, 'saveSettings', elsewhere)).resolves.toMatchObject(refused({ clientSecret: 'missing' }))
    await expect(call(page, 'removeConnection', { name: 'x' })).resolves.toEqual(OK)
    await expect(call(page, 'saveSettings', { baseAddress: desk.service.address, ...none })).resolves.toEqual(OK)
    await expect(call(page, 'saveSettings', elsewhere)).resolves.toMatchObject(refused({ clientSecret: 'missing' }))
    // The page can save the address together with a new secret. The address then stays in the settings.
    await expect(call(page, 'saveSettings', { ...elsewhere, clientSecret: 'dummy' })).resolves.toEqual(OK)
    await tryEvil()
    await app.quit()
    expect(evil.received.map(({ body }) => body)).toContainEqual(expect.stringContaining('dummy'))

    // The environment now sets the provider's address, and the user enters the secret for it.
    const second = await desk.start({ baseUrl: null, env: { LATCHKEY_AUTH_URL: authUrl } })
    const again = await second.open()
    await expect(call(again.page, 'saveSettings', { clientSecret })).resolves.toEqual(OK)
    await again.page.getByRole('radio', { name: 'Single sign-on' }).check()
    await again.signIn(ANA)
    await second.quit()

    // Without the environment variable, the address that the page saved applies again.
    const { page: last } = await (await desk.start({ baseUrl: null })).open()
    await eventually(async () => (await viewOf(last)).session.kind).toBe('signedOut')
    expect((await viewOf(last)).settings.authUrl).toEqual({ value: evil.address, source: 'user' })
    await expect(
      call(last, 'signIn', { grant: 'passwordRealm', username: 'ana', password: 'typed' }),
    ).resolves.toMatchObject({
      failure: { code: 'notConfigured' },
    })
    expect(evil.received.filter(({ body }) => body.includes(clientSecret))).toEqual([])
  })

  // ---

  test('a change of where credentials go is confirmed in a native dialog that names both hosts', async () => {
    const { desk, app, page, elsewhere } = await openFirst()
    const shown = await answerDialogs(app, 'cancel')
    const before = desk.settings()
    const provider = {
      authUrl: 'https://login.example.org',
      scope: 'a',
      audience: 'b',
      clientId: 'c',
      clientSecret: 'd',
    }
    const evil = call(page, 'saveSettings', { baseAddress: elsewhere.address, ...provider })
    // The page sends two requests at the same time, and one more after that. The user is asked once.
    const another = call(page, 'saveSettings', { baseAddress: 'https://data.example.org' })
    await expect(evil).resolves.toEqual(notConfirmed)
    await expect(another).resolves.toMatchObject(notConfirmed)
    await expect(call(page, 'saveSettings', provider)).resolves.toMatchObject(notConfirmed)
    await expect(shown()).resolves.toEqual([
      {
        message: words.change.message,
        detail: expect.stringContaining(
          `Service address\nFrom: ${desk.service.address}\nTo: ${elsewhere.address}\n\nIdentity provider\nFrom: none\nTo: https://login.example.org\n`,
        ),
        buttons: [words.cancel, words.change.confirm],
        defaultId: 0,
        cancelId: 0,
        hasParent: true,
      },
    ])
    expect(desk.settings()).toEqual(before)
    expect((await viewOf(page)).connection?.baseAddress).toBe(desk.service.address)
    expect(elsewhere.requests).toEqual([])
  })

  // ---

  test('every connection after the first is confirmed in a native dialog', async () => {
    const { desk, app, page, elsewhere } = await openFirst()
    const shown = await answerDialogs(app, 'cancel')
    const adding = () => call(page, 'addConnection', { name: 'staging', baseAddress: elsewhere.address })
    const answers = await Promise.all([adding(), adding()])
    expect(answers).toEqual([notConfirmed, expect.objectContaining({ ok: false })])
    await expect(shown()).resolves.toEqual([
      expect.objectContaining({
        message: words.add.message,
        detail: expect.stringContaining(
          `Existing connection: ${desk.service.address}\nNew connection: ${elsewhere.address}\n`,
        ),
        buttons: [words.cancel, words.add.confirm],
        defaultId: 0,
        cancelId: 0,
        hasParent: true,
      }),
    ])
    expect((await viewOf(page)).connections.map(({ name }) => name)).toEqual(['default'])
    expect(elsewhere.requests).toEqual([])
  })

  // ---

  test('a managed client secret is only used with a managed provider address', async () => {
    const evil = await scriptedServer()
    onTestFinished(() => evil.stop())
    const desk = await openDesk()
    const values = { authUrl: evil.address, scope: 'openid', audience: 'https://data.example' }
    // First the page saves the evil provider's address. Later the environment sets the client secret.
    const first = await desk.start()
    await answerDialogs(first, 'confirm')
    const { page: before } = await first.open()
    await expect(call(before, 'saveSettings', { ...values, clientId: 'a', clientSecret: 'dummy' })).resolves.toEqual(OK)
    await first.quit()

    const env = { LATCHKEY_SSO_CLIENT_ID: 'managed', LATCHKEY_SSO_CLIENT_SECRET: 'ginger-otter-4711' }
    const { page } = await (await desk.start({ env })).open()
    await expect(
      call(page, 'signIn', { grant: 'passwordRealm', username: 'ana', password: 'typed' }),
    ).resolves.toMatchObject({
      failure: { code: 'notConfigured' },
    })
    expect((await viewOf(page)).notices).toEqual([expect.stringContaining('authUrl was ignored')])
    await expect(call(page, 'saveSettings', { ...values, authUrl: `${evil.address}/sso` })).resolves.toMatchObject({
      ok: false,
      failure: { code: 'invalidInput', fields: { authUrl: 'managedSecret' } },
    })
    expect(evil.received).toEqual([])

    const policy = { clientId: 'managed', clientSecret: 'ginger-otter-4711' }
    const own: Record<string, unknown> = { connection: { ...values, baseAddress: 'https://data.example' } }
    const settings = new Settings({
      policy: { reading: parsePolicy('policy.json', JSON.stringify(policy)) },
      environment: { layer: {}, app: {}, problems: [] },
      user: new UserSettings({ get: (key) => own[key], set: () => {} }),
      keychain: async () => new MemoryStore(),
      confirm: async () => OK as Outcome,
    }).of('default')
    expect(settings.connection?.baseAddress).toBe('https://data.example')
    expect(settings.connection?.identityProvider).toBeUndefined()
    await expect(settings.save(values)).resolves.toMatchObject({ failure: { fields: { authUrl: 'managedSecret' } } })
  })

  // ---

  test('the password can be changed only with the current password', async () => {
    const { service, page } = await signedInPage()
    const asked = () => service.requests.map(({ operation, status }) => `${operation} ${status}`)
    const from = asked().length
    const attempt = (currentPassword: string) => call(page, 'changePassword', { currentPassword, password: NEW })

    expect(await attempt('not the current one')).toMatchObject({ ok: false, failure: { code: 'rejected' } })
    expect(asked().slice(from)).toEqual(['login 401'])
    service.inject('login', { kind: 'slow', ms: 500 })
    const guesses = await page.evaluate(() => {
      const { latchkey } = globalThis as unknown as { readonly latchkey: LatchkeyApi }
      const guess = (n: number) => latchkey.changePassword({ currentPassword: `guess ${n}`, password: 'taken' })
      return Promise.all(Array.from({ length: 20 }, (_, n) => guess(n)))
    })
    service.clearFaults()
    // While the service checks one guess, the app refuses the others.
    expect(asked().slice(from)).toEqual(['login 401', 'login 401'])
    expect(guesses.map((each) => !each.ok && each.failure.code)).toEqual([
      'rejected',
      ...Array.from({ length: 19 }, () => 'rateLimited'),
    ])
    const bare = { password: NEW } as unknown as CallInput<'changePassword'>
    expect(await call(page, 'changePassword', bare)).toMatchObject({ ok: false, failure: { code: 'invalidInput' } })

    expect(await attempt(ANA.password)).toMatchObject({ ok: true })
    await eventually(() => asked().filter((each) => each === 'logout 200').length).toBe(1)
    const [login, ...rest] = asked().slice(from + 2)
    expect(login).toBe('login 200')
    expect(rest.sort()).toEqual(['changePassword 200', 'logout 200', 'refresh 200'])
  })

  // ---

  test('if the address is managed, connections are only added if the policy allows it', async () => {
    // The environment sets this connection's address.
    const desk = await openDesk()
    const elsewhere = await startDemoService()
    onTestFinished(() => elsewhere.stop())
    const { page } = await (await desk.start()).open()
    const before = desk.settings()
    const adding = call(page, 'addConnection', { name: 'staging', baseAddress: elsewhere.address })
    await expect(adding).resolves.toMatchObject({ ok: false, failure: { fields: { baseAddress: 'managed' } } })
    const { mayAddConnections, connections } = await viewOf(page)
    expect(mayAddConnections).toBe(false)
    expect(connections.map(({ name }) => name)).toEqual(['default'])
    expect(desk.settings()).toEqual(before)
    expect(elsewhere.requests).toEqual([])
  })

  // ---

  test('no new connection gets a name that every JavaScript object has as a property', async () => {
    const names = Object.getOwnPropertyNames(Object.prototype)
    expect(names).toContain('constructor')
    for (const name of names) {
      const input = { name, baseAddress: 'https://staging.example.com' }
      expect(v.is(calls.addConnection, input), name).toBe(false)
      const connections = Object.fromEntries([[name, { baseAddress: input.baseAddress }]])
      const { problems } = parsePolicy('policy.json', JSON.stringify({ connections }))
      expect(problems).toMatchObject([{ key: `connections.${name}`, problem: 'unusable' }])
    }
  })

  // ---

  test('in the tray, a username that the page chose is short and has no control characters', async () => {
    const texts = await loadTexts('en')
    for (const { typed, shown } of [
      { typed: `Ana\r\n\u202e\u200b Z${'\u0301'.repeat(450)}`, shown: 'Ana Z\u0301\u0301\u0301\u0301' },
      { typed: 'a'.repeat(512), shown: `${'a'.repeat(99)}…` },
    ]) {
      const desktop = await startedDesktop()
      // A provider that accepts the username and returns no name.
      desktop.sso.passwords.set(typed, 'any')
      desktop.sso.options.tells = 'nothing'
      await desktop.signIn(typed, 'passwordRealm')
      const session = sessionView(desktop.state, desktop.clock)
      expect(session).toMatchObject({ kind: 'active', account: { username: typed, displayName: shown } })
      const connections = [{ name: 'default', session, isOwn: false }]
      const context = { now: 0, canCopyToken: () => true, isTokenCopied: () => false }
      const { tooltip, menu } = trayModel({ connections, switches: {} }, texts, context)
      expect(JSON.stringify([tooltip.split('\n'), menu])).not.toMatch(/[\p{Cc}\p{Cf}]|\\[un]|\p{M}{5}|a{100}/u)
    }
  })

  // ---

  test('a page can write to the clipboard after a click, as the documentation says, and never read it', async () => {
    const desk = await openDesk()
    const app = await desk.start()
    const { page } = await app.open()
    await app.app.evaluate(({ clipboard }) => clipboard.writeText('the user’s own'))
    await page.mouse.click(5, 5)
    const read = await page.evaluate(async () => {
      const field = document.body.appendChild(document.createElement('textarea'))
      field.focus()
      document.execCommand('paste')
      return [field.value, await navigator.clipboard.readText().catch(() => ''), navigator.userActivation.isActive]
    })
    expect(read).toEqual(['', '', true])
    await page.evaluate(() => {
      const field = document.body.appendChild(document.createElement('textarea'))
      field.value = 'the page’s'
      field.select()
      document.execCommand('copy')
    })
    const written = await app.app.evaluate(({ clipboard }) => clipboard.readText())
    // If a later Electron asks for a permission here, docs/security.md must be corrected.
    expect(written).toBe('the page’s')
  })

  // ---

  test('a page can neither move nor resize nor rename its window', async () => {
    const app = await (await openDesk()).start()
    const { page } = await app.open()
    const windows = () =>
      app.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((each) => ({ bounds: each.getBounds(), title: each.getTitle() })),
      )
    const before = await windows()
    await page.evaluate(async () => {
      moveTo(0, 0)
      resizeTo(screen.width, screen.height)
      document.title = 'Unlock Login Keyring'
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    })
    expect(await windows()).toEqual(before)
  })

  // ---

  test('a page can open no print dialog, and no save dialog except one at a time for the diagnostics', async () => {
    const app = await (await openDesk()).start()
    const { page } = await app.open()
    const isPrinting = await page.evaluate(async () => {
      const heard = new Promise((resolve) => addEventListener('beforeprint', () => resolve(true)))
      print()
      return Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 1_000, false))])
    })
    expect(isPrinting).toBe(false)
    expect(await page.evaluate(() => Object.keys(globalThis).filter((name) => /^show\w+Picker$/.test(name)))).toEqual(
      [],
    )

    const dialogs = await app.app.evaluateHandle(({ dialog }) => {
      const opened: (() => void)[] = []
      const show: unknown = () =>
        new Promise((resolve) => {
          opened.push(() => resolve({ canceled: true, filePath: '' }))
        })
      dialog.showSaveDialog = show as typeof dialog.showSaveDialog
      return opened
    })
    const ask = () => Promise.all(Array.from({ length: 5 }, () => call(page, 'saveDiagnostics')))
    for (const opened of [1, 2]) {
      const answers = ask()
      await eventually(() => dialogs.evaluate(({ length }) => length)).toBe(opened)
      await call(page, 'checkSettings', {})
      await dialogs.evaluate((all) => all.at(-1)?.())
      expect(await answers).toEqual([OK, OK, OK, OK, OK])
      expect(await dialogs.evaluate(({ length }) => length)).toBe(opened)
    }
  })

  // ---

  test('a page can’t flood the main process with calls or large inputs', async () => {
    const app = await (await openDesk()).start()
    const { page } = await app.open()
    const asked = await app.app.evaluateHandle(({ ipcMain }, channel) => {
      const count = { views: 0 }
      ipcMain.on(channel, () => {
        count.views += 1
      })
      return count
    }, SUBSCRIBE_CHANNEL)
    const answered = await page.evaluate(async () => {
      const { latchkey } = globalThis as unknown as { readonly latchkey: LatchkeyApi }
      for (let n = 0; n < 1_000; n += 1) latchkey.onView(() => {})()
      const flood = await Promise.allSettled(Array.from({ length: 1_000 }, () => latchkey.checkSettings({})))
      const large = await Promise.allSettled([latchkey.checkSettings({ realm: 'x'.repeat(10_000_000) })])
      // After the flood, a call is answered again.
      return { flood, large, after: await latchkey.checkSettings({}) }
    })
    expect(answered.flood.filter(({ status }) => status === 'fulfilled')).toHaveLength(32)
    expect(answered.large.map(({ status }) => status)).not.toContain('fulfilled')
    expect(answered.after).toEqual(OK)
    expect((await asked.jsonValue()).views).toBe(1)
  })

  // ---

  test(
    'a page’s links cause no name lookups, not even dns-prefetch or preconnect links; PAC scripts can look up names',
    rootOnly('only root can answer the app’s name lookups'),
    async () => {
      const desk = await openDesk()
      const { names } = await startNameServer(desk.installation)
      const app = await desk.start()
      const { page } = await app.open()
      await page.evaluate(async () => {
        const add = (tag: string, properties: object) =>
          document.head.append(Object.assign(document.createElement(tag), properties))
        add('meta', { httpEquiv: 'x-dns-prefetch-control', content: 'on' })
        for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'modulepreload', 'prerender', 'icon']) {
          add('link', { rel, as: 'script', href: `http://${rel}.page.test/` })
        }
        const anchor = Object.assign(document.createElement('a'), {
          href: 'http://anchor.page.test/',
          ping: 'http://ping.page.test/',
        })
        document.body.append(anchor)
        anchor.click()
        await new Promise((resolve) => setTimeout(resolve, 1_500))
      })
      const pac = 'function FindProxyForURL() { return "PROXY " + dnsResolve("script.pac.test") + ":1" }'
      const proxy = await app.app.evaluate(async ({ session }, script) => {
        const own = session.fromPartition('latchkey-proxy')
        await own.setProxy({ mode: 'pac_script', pacScript: `data:application/x-ns-proxy-autoconfig,${script}` })
        return own.resolveProxy('http://service.pac.test/')
      }, encodeURIComponent(pac))
      expect(proxy).toBe('PROXY 127.0.0.1:1')
      expect([...names].filter((name) => name.endsWith('.test'))).toEqual(['script.pac.test'])
    },
  )
})
