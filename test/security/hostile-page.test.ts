import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CallInput, calls, type LatchkeyApi } from '../../contract/calls.ts'
import { SUBSCRIBE_CHANNEL } from '../../contract/channels.ts'
import { OK } from '../../contract/failures.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { sessionView } from '../../main/session/connection-view.ts'
import { parsePolicy } from '../../main/settings/policy.ts'
import { trayModel } from '../../main/surfaces/tray-model.ts'
import { loadTexts } from '../../text/index.ts'
import { call, viewOf } from '../support/calls.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { eventually } from '../support/eventually.ts'
import { scriptedServer } from '../support/local-servers.ts'
import { startNameServer } from '../support/name-server.ts'
import { startedDesktop } from '../support/session/model-desktop.ts'
import { sharePage } from '../support/share.ts'
import { rootOnly } from '../support/systems.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const NEW = 'a longer quiet harbour'
const notConfirmed = { ok: false, failure: { code: 'notConfirmed' } }
const { destination: words } = (await sentences()).desktop

/** Signs ana in by single sign-on. Starts a second server, to which a hostile page tries to send the credentials. */
async function signedInBySso() {
  const desk = await openTestDesktop()
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  const evil = await scriptedServer()
  onTestFinished(() => evil.stop())
  const { domain: providerDomain, ...settings } = provider.settings
  const values = { ...settings, providerDomain, authUrl: provider.address, scope: 'openid offline_access' }
  const app = await desk.start({ baseUrl: null })
  // This user confirms everything that the page asks for.
  await answerDialogs(app, 'confirm')
  const window = await app.open()
  await call(window.page, 'saveSettings', { baseAddress: desk.service.address, ...values })
  await window.page.getByRole('radio', { name: 'Single sign-on' }).check()
  await window.signIn(ANA)
  return { desk, provider, evil, app, window, values }
}

const openPage = sharePage()

/** Opens an app whose page has added the first connection, which needs no confirmation. Starts another service, too. */
async function openFirst() {
  const desk = await openTestDesktop()
  const elsewhere = await startDemoService()
  onTestFinished(() => elsewhere.stop())
  const app = await desk.start({ baseUrl: null })
  const { page } = await app.open()
  await expect(call(page, 'saveSettings', { baseAddress: desk.service.address })).resolves.toMatchObject({ ok: true })
  return { desk, app, page, elsewhere }
}

describe('A script that got into Latchkey’s window', () => {
  test('SECURITY: a refresh token is never sent to a changed provider address', async () => {
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
      // The session continues when the page saves the address of its own provider.
      await expect(call(page, 'saveSettings', { ...rest, authUrl, clientSecret })).resolves.toEqual(OK)
      await eventually(async () => (await viewOf(page)).session.kind).toBe('active')
    }
    expect(evil.received.filter(({ body }) => stolen.some((each) => body.includes(each)))).toEqual([])
  })

  test('SECURITY: a new address for credentials is confirmed in a native dialog that names both hosts', async () => {
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
    // The page makes two requests at once and another one later, but the user is asked once.
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

  test('SECURITY: no new connection gets a name that every JavaScript object has as a property', async () => {
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

  test('SECURITY: in the tray, a username that the page chose is short and has no control characters', async () => {
    const texts = await loadTexts('en')
    for (const { typed, shown } of [
      { typed: `Ana\r\n\u202e\u200b Z${'\u0301'.repeat(450)}`, shown: 'Ana Z\u0301\u0301\u0301\u0301' },
      { typed: 'a'.repeat(512), shown: `${'a'.repeat(99)}…` },
    ]) {
      const desktop = await startedDesktop()
      // This provider accepts the username and returns no name.
      desktop.sso.passwords.set(typed, 'any')
      desktop.sso.options.tells = 'nothing'
      await desktop.signIn(typed, 'passwordRealm')
      const session = sessionView(desktop.state, desktop.clock)
      expect(session).toMatchObject({ kind: 'active', account: { username: typed, displayName: shown } })
      const connections = [{ name: 'default', session, isOwn: false }]
      const context = { now: 0, canCopyToken: () => true, isTokenCopied: () => false }
      const { tooltip, menu } = trayModel({ connections, needs: [], switches: {} }, texts, context)
      expect(JSON.stringify([tooltip.split('\n'), menu])).not.toMatch(/[\p{Cc}\p{Cf}]|\\[un]|\p{M}{5}|a{100}/u)
    }
  })

  test('SECURITY: a page can write to the clipboard after a click, as documented, but never read it', async () => {
    const { app, page } = await openPage()
    await app.evaluate(({ clipboard }) => clipboard.writeText('the user’s own'))
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
    const written = await app.evaluate(({ clipboard }) => clipboard.readText())
    // If a later Electron asks for a permission here, correct docs/developers/security-limits.md.
    expect(written).toBe('the page’s')
  })

  test('SECURITY: a page can neither move nor resize nor rename its window', async () => {
    const { app, page } = await openPage()
    const windows = () =>
      app.evaluate(({ BrowserWindow }) =>
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

  test('SECURITY: a page can’t open a picture-in-picture window or read colours from the screen', async () => {
    const app = await (await openTestDesktop()).start()
    const { page } = await app.open()
    const showElsewhere = () =>
      page.evaluate(async () => {
        const canvas = document.createElement('canvas')
        const video = document.body.appendChild(document.createElement('video'))
        video.muted = true
        video.srcObject = canvas.captureStream()
        canvas.getContext('2d')?.fillRect(0, 0, 9, 9)
        await video.play()
        return video.requestPictureInPicture().then(
          () => 'opened',
          ({ name }: Error) => name,
        )
      })
    await page.mouse.click(5, 5)
    await expect(showElsewhere()).resolves.toBe('SecurityError')
    expect(await page.evaluate(() => 'EyeDropper' in globalThis)).toBe(false)
  })

  test('SECURITY: the script can’t open a print dialog, and opens the save dialog of the diagnostics only once at a time', async () => {
    const { app, page } = await openPage()
    const isPrinting = await page.evaluate(async () => {
      const heard = new Promise((resolve) => addEventListener('beforeprint', () => resolve(true)))
      print()
      return Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 1_000, false))])
    })
    expect(isPrinting).toBe(false)
    expect(await page.evaluate(() => Object.keys(globalThis).filter((name) => /^show\w+Picker$/.test(name)))).toEqual(
      [],
    )

    const dialogs = await app.evaluateHandle(({ dialog }) => {
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

  test('SECURITY: a page can’t flood the main process with calls or large inputs', async () => {
    const { app, page } = await openPage()
    const asked = await app.evaluateHandle(({ ipcMain }, channel) => {
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
      // After the flood, calls are answered again.
      return { flood, large, after: await latchkey.checkSettings({}) }
    })
    expect(answered.flood.filter(({ status }) => status === 'fulfilled')).toHaveLength(32)
    expect(answered.large.map(({ status }) => status)).not.toContain('fulfilled')
    expect(answered.after).toEqual(OK)
    expect((await asked.jsonValue()).views).toBe(1)
  })

  test(
    'SECURITY: a page’s links cause no name lookups, not even with dns-prefetch or preconnect',
    rootOnly('only root can answer the app’s name lookups'),
    async () => {
      const desk = await openTestDesktop()
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
      // A PAC script does cause a name lookup, which shows that the name server records lookups.
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

  test('SECURITY: the password can be changed only with the current password', async () => {
    const { desk, window, page } = await openPage()
    const { service } = desk
    await window.signIn(ANA)
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
    // While the service checks one guess, the app refuses other guesses.
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
})
