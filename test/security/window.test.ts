/** Tests the rules of Electron's security guide that test/e2e doesn't test, in the running app. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ElectronApplication, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startPage } from '../../main/surfaces/app-protocol.ts'
import { installBuild } from '../support/app.ts'
import { visibleWindows } from '../support/main-process.ts'
import { own } from '../support/ordinary-user.ts'
import { sharePage } from '../support/share.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

/** Electron has this method for reading a window's settings, but Electron's types lack it. */
interface Told {
  getLastWebPreferences(): Readonly<Record<string, unknown>>
}

const openPage = sharePage()

/** Opens a page in Electron's default session, which Latchkey's window doesn't use. */
async function openStranger(app: ElectronApplication): Promise<Page> {
  const [page] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } })
      await window.loadURL('data:text/html,<title>A stranger</title>')
    }),
  ])
  onTestFinished(() => page.close())
  return page
}

it('SECURITY: the window has none of the settings that Electron’s guide warns of', async () => {
  const { app } = await openPage()
  const settings = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((each) => (each as unknown as Told).getLastWebPreferences()),
  )
  expect(settings).toEqual([
    expect.objectContaining({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      enableBlinkFeatures: '',
      disableDialogs: true,
      webviewTag: false,
    }),
  ])
})

it.each([
  ['open in a development run', installBuild],
  ['open only in an unpackaged app', undefined],
])('SECURITY: DevTools %s', async (_, from) => {
  const { app, open } = await (await openTestDesktop(from && { from })).start()
  await open()
  const { isPackaged, opened } = await app.evaluate(async ({ app: main, BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const opened = new Promise((resolve) => contents?.once('devtools-opened', () => resolve(true)))
    contents?.openDevTools({ mode: 'detach', activate: false })
    // In a packaged app, DevTools would open within these three seconds.
    const late = new Promise((resolve) => setTimeout(() => resolve(false), main.isPackaged ? 3_000 : 60_000))
    return { isPackaged: main.isPackaged, opened: await Promise.race([opened, late]) }
  })
  expect(opened).toBe(!isPackaged)
})

it('SECURITY: no webview is attached, even in a window that allows the tag', async () => {
  const { app, page } = await openPage()
  const stranger = await openStranger(app)
  const place = (each: Page) =>
    each.evaluate(async () => {
      const view = Object.assign(document.createElement('webview'), { src: 'data:text/html,stolen' })
      view.setAttribute('allowpopups', '')
      document.body.append(view)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return 'loadURL' in view
    })
  await expect(place(page)).resolves.toBe(false)
  // The tag works in the second page, so only the app's refusal keeps the webview away.
  await expect(place(stranger)).resolves.toBe(true)
  await expect(
    app.evaluate(({ webContents }) => webContents.getAllWebContents().map((each) => each.getType())),
  ).resolves.toEqual(['window', 'window'])
})

it('SECURITY: a page in another browser session is given no permission', async () => {
  const { app } = await openPage()
  const stranger = await openStranger(app)
  const states = await stranger.evaluate(async () => {
    const { state } = await navigator.permissions.query({ name: 'geolocation' })
    return [await Notification.requestPermission(), state]
  })
  expect(states).toEqual(['denied', 'denied'])
})

it('SECURITY: no click and no call of the page opens a window or another program', async () => {
  const desk = await openTestDesktop()
  const heard = path.join(desk.home, 'opened')
  const programs = path.join(desk.home, 'programs')
  mkdirSync(programs)
  own(programs)
  const opener = `#!/bin/sh\necho "$@" >> '${heard}'\n`
  for (const name of ['xdg-open', 'xdg-email']) writeFileSync(path.join(programs, name), opener, { mode: 0o755 })
  const { app, open } = await desk.start({ env: { PATH: `${programs}:${process.env['PATH']}` } })
  const { page } = await open()
  const pages = ['', 'about:blank', 'data:text/html,stolen', startPage('de'), `${desk.service.address}/stolen`]
  for (const address of [...pages, 'https://example.com/', 'mailto:ana@example.com', 'tel:1', 'vscode://x']) {
    const opened = await page.evaluate((to) => {
      document.querySelector('#link')?.remove()
      const link = Object.assign(document.createElement('a'), { href: to, id: 'link', target: '_blank' })
      for (const property of ['position:fixed', 'inset:0', 'z-index:9']) {
        link.style.setProperty(...(property.split(':') as [string, string]))
      }
      document.body.append(link)
      return window.open(to) !== null
    }, address)
    expect([address, opened]).toEqual([address, false])
    await page.mouse.click(50, 50)
    await page.mouse.click(50, 50, { button: 'middle' })
    await page.keyboard.down('Shift')
    await page.mouse.click(50, 50)
    await page.keyboard.up('Shift')
  }
  // This call of `openExternal` is recorded, so earlier calls would have been recorded, too.
  await app.evaluate(({ shell }) => shell.openExternal('https://example.com/by-the-test'))
  await expect.poll(() => existsSync(heard) && readFileSync(heard, 'utf8')).toBe('https://example.com/by-the-test\n')
  await expect(app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).resolves.toBe(1)
  expect(desk.service.requests).toEqual([])
})

it('SECURITY: the page can neither keep its window open nor keep the app from quitting', async () => {
  const { app, page } = await openPage()
  await page.evaluate(() => {
    addEventListener('beforeunload', (event) => event.preventDefault())
  })
  // Until the user has clicked in a page, Chromium ignores the page's objection to being closed.
  await page.mouse.click(10, 10)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await expect.poll(() => visibleWindows(app)).toBe(0)
})
