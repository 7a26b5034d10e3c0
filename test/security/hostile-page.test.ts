import { describe, expect, onTestFinished, test } from 'vitest'
import type { CallInput, LatchkeyApi } from '../../contract/calls.ts'
import { SUBSCRIBE_CHANNEL } from '../../contract/channels.ts'
import { OK } from '../../contract/failures.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { call, viewOf } from '../support/calls.ts'
import { confirmDialogs } from '../support/dialogs.ts'
import { scriptedServer } from '../support/local-servers.ts'
import { startNameServer } from '../support/name-server.ts'
import { sharePage } from '../support/share.ts'
import { rootOnly } from '../support/systems.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const openPage = sharePage()

describe('A script that got into Latchkey’s window', () => {
  test('SECURITY: a refresh token is never sent to a changed provider address', async () => {
    const desk = await openTestDesktop()
    const provider = await startIdentityProvider()
    onTestFinished(() => provider.stop())
    const evil = await scriptedServer()
    onTestFinished(() => evil.stop())
    const { domain: providerDomain, ...settings } = provider.settings
    const values = { ...settings, providerDomain, authUrl: provider.address, scope: 'openid offline_access' }
    const app = await desk.start({ baseUrl: null })
    const window = await app.open()
    // This user confirms everything that the page asks for.
    await confirmDialogs(app)
    const { page } = window
    await call(page, 'saveSettings', { baseAddress: desk.service.address, ...values })
    await page.getByRole('radio', { name: 'Single sign-on' }).check()
    await window.signIn(ANA)
    const stolen = [...provider.issuedSecrets(), values.clientSecret]
    const { authUrl, clientSecret, scope, audience, clientId } = values
    const rest = { scope, audience, clientId, clientSecret: 'dummy' }
    const sequences: readonly (readonly CallInput<'saveSettings'>[])[] = [
      [{ authUrl: evil.address, clientSecret: 'dummy' }],
      [{ baseAddress: 'http://127.0.0.1:9' }, { authUrl: evil.address, clientSecret: 'dummy' }],
    ]
    for (const sequence of sequences) {
      for (const values of sequence) await expect(call(page, 'saveSettings', values)).resolves.toEqual(OK)
      await expect(call(page, 'saveSettings', { baseAddress: desk.service.address })).resolves.toEqual(OK)
      await expect
        .poll(async () => (await viewOf(page)).session)
        .toMatchObject({
          kind: 'signedOut',
          failure: { code: 'sessionEnded', details: { cause: 'session of another issuer' } },
        })
      await call(page, 'refreshNow')
      // The session continues when the page saves the address of its own provider.
      await expect(call(page, 'saveSettings', { ...rest, authUrl, clientSecret })).resolves.toEqual(OK)
      await expect.poll(async () => (await viewOf(page)).session.kind).toBe('active')
    }
    expect(evil.received.filter(({ body }) => stolen.some((each) => body.includes(each)))).toEqual([])
  })

  test('SECURITY: a page can’t pose as the system: it can’t move, resize or rename its window, print, or draw elsewhere', async () => {
    const { app, page } = await openPage()
    const windows = () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((each) => ({ bounds: each.getBounds(), title: each.getTitle() })),
      )
    const before = await windows()
    await page.mouse.click(5, 5)
    const outcome = await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      const video = document.body.appendChild(document.createElement('video'))
      video.muted = true
      video.srcObject = canvas.captureStream()
      canvas.getContext('2d')?.fillRect(0, 0, 9, 9)
      await video.play()
      const picture = await video.requestPictureInPicture().then(
        () => 'opened',
        ({ name }: Error) => name,
      )
      let isPrinting = false
      addEventListener('beforeprint', () => {
        isPrinting = true
      })
      print()
      moveTo(0, 0)
      resizeTo(screen.width, screen.height)
      document.title = 'Unlock Login Keyring'
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const pickers = Object.getOwnPropertyNames(globalThis).filter((name) => /^(show\w+Picker|EyeDropper)$/.test(name))
      return { picture, isPrinting, pickers }
    })
    expect(outcome).toEqual({ picture: 'SecurityError', isPrinting: false, pickers: [] })
    expect(await windows()).toEqual(before)
  })

  test('SECURITY: a page opens the save dialog of the diagnostics only once at a time', async () => {
    const { app, page } = await openPage()
    const dialogs = await app.evaluateHandle(({ dialog }) => {
      const opened: (() => void)[] = []
      const show: unknown = () =>
        new Promise((resolve) => {
          opened.push(() => resolve({ canceled: true, filePath: '' }))
        })
      dialog.showSaveDialog = show as typeof dialog.showSaveDialog
      return opened
    })
    for (const opened of [1, 2]) {
      const answers = Promise.all(Array.from({ length: 5 }, () => call(page, 'saveDiagnostics')))
      await expect.poll(() => dialogs.evaluate(({ length }) => length)).toBe(opened)
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
      const proxy = () =>
        app.app.evaluate(async ({ session }, script) => {
          const own = session.fromPartition('latchkey-proxy')
          await own.setProxy({ mode: 'pac_script', pacScript: `data:application/x-ns-proxy-autoconfig,${script}` })
          return own.resolveProxy('http://service.pac.test/')
        }, encodeURIComponent(pac))
      // Chromium's network process may apply the script only after the first question.
      await expect.poll(proxy).toBe('PROXY 127.0.0.1:1')
      expect([...names].filter((name) => name.endsWith('.test'))).toEqual(['script.pac.test'])
    },
  )
})
