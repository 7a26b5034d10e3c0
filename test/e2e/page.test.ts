/** Attacks that a foreign script in the page could try, from within the page. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { USER_SWITCHES } from '../../contract/settings.ts'
import { ANA } from '../../demo/users.ts'
import { startPage } from '../../main/surfaces/app-protocol.ts'
import { isPackaged } from '../support/app.ts'
import { viewOf } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { filesUnder } from '../support/leaks.ts'
import { visibleWindows } from '../support/main-process.ts'
import { isRunning } from '../support/processes.ts'
import { sharePage } from '../support/share.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

/** The address of our own page in another language. */
const START_PAGE = startPage('de')

const openPage = sharePage(
  {
    // `app:` serves HTML files, so only this file's folder can be the reason why `app:` refuses it.
    alter: (folder) => writeFileSync(path.join(folder, 'out/stranger.html'), 'A stranger'),
  },
  ['--use-fake-device-for-media-stream'],
)

// This test has an app of its own, because the debugger keeps waiting for the navigations that the app prevents.
it('SECURITY: the page never navigates away', async () => {
  const desk = await openTestDesktop()
  const { app, open } = await desk.start()
  const { page } = await open()
  const before = page.url()
  expect(before).not.toBe(START_PAGE)
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))
  for (const address of [
    `${desk.service.address}/stolen`,
    'data:text/html,stolen',
    'file:///etc/passwd',
    'javascript:void(document.title = "stolen")',
    'app://other/index.html',
    'app://latchkey/assets/none.js',
    'chrome://gpu',
    'devtools://devtools/bundled/inspector.html',
    `view-source:${START_PAGE}`,
    START_PAGE,
  ]) {
    await page.evaluate((to) => {
      location.href = to
      const link = Object.assign(document.createElement('a'), { href: to })
      document.body.append(link)
      link.click()
    }, address)
    // In these 200 ms, a page on this machine would have loaded.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    await expect(page.evaluate(() => document.title)).resolves.toBe('Latchkey')
  }
  expect(visited).toEqual([])
  expect(page.url()).toBe(before)
  expect(app.windows()).toHaveLength(1)
  expect(desk.service.requests).toEqual([])
})

it('SECURITY: the page opens no window', async () => {
  const { desk, app, page } = await openPage()
  for (const address of [`${desk.service.address}/stolen`, START_PAGE, 'about:blank', 'data:text/html,stolen', '']) {
    const opened = await page.evaluate((to) => {
      const link = Object.assign(document.createElement('a'), { href: to, target: '_blank' })
      document.body.append(link)
      link.click()
      return window.open(to) !== null
    }, address)
    expect([address, opened]).toEqual([address, false])
  }
  await expect(app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).resolves.toBe(1)
  expect(desk.service.requests).toEqual([])
})

it('SECURITY: the page saves no file', async () => {
  const { desk, app, page } = await openPage()
  const cancelled = await app.evaluateHandle(({ BrowserWindow }) => {
    const heard: boolean[] = []
    BrowserWindow.getAllWindows()[0]?.webContents.session.on('will-download', (event, item) => {
      item.setSavePath(`${process.env['HOME']}/stolen.txt`)
      heard.push(event.defaultPrevented)
    })
    return heard
  })
  await page.evaluate(() => {
    const href = URL.createObjectURL(new Blob(['stolen']))
    const link = Object.assign(document.createElement('a'), { href, download: 'stolen.txt' })
    document.body.append(link)
    link.click()
  })
  // A download that the page requests never begins, so the main process starts one for the app to cancel.
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.downloadURL('data:text/plain,stolen')
  })
  await eventually(() => cancelled.jsonValue()).toEqual([true])
  expect(filesUnder(desk.home).filter(({ place }) => place.includes('stolen'))).toEqual([])
})

it('SECURITY: the page is given no permission and no device', async () => {
  const { page } = await openPage()
  const granted = await page.evaluate(async () => {
    const names = ['notifications', 'geolocation', 'camera', 'microphone', 'clipboard-read', 'clipboard-write', 'midi']
    const states = names.map(
      async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state,
    )
    const asked: Readonly<Record<string, () => Promise<unknown>>> = {
      camera: () => navigator.mediaDevices.getUserMedia({ video: true, audio: true }),
      screen: () => navigator.mediaDevices.getDisplayMedia(),
      place: () => new Promise((...done) => navigator.geolocation.getCurrentPosition(...done)),
      clipboard: () => navigator.clipboard.readText(),
      instruments: () => navigator.requestMIDIAccess(),
    }
    const given = Object.entries(asked).map(([name, ask]) =>
      ask().then(
        () => name,
        () => undefined,
      ),
    )
    return {
      states: [...new Set(await Promise.all(states))],
      given: (await Promise.all(given)).filter((name) => name !== undefined),
      notifications: await Notification.requestPermission(),
      lasting: await navigator.storage.persist(),
    }
  })
  expect(granted).toEqual({ states: ['denied'], given: [], notifications: 'denied', lasting: false })
})

it('SECURITY: the page has no access to Node or Electron', async () => {
  const { page } = await openPage()
  const names = ['require', 'process', 'module', 'exports', 'global', 'Buffer', 'ipcRenderer', 'electron', '__dirname']
  const known = await page.evaluate((all) => all.filter((name) => name in globalThis), names)
  expect(known).toEqual([])
})

it('SECURITY: the page has only the calls of the contract, and can’t replace them', async () => {
  const { page } = await openPage()
  const api = await page.evaluate(() => {
    const { latchkey } = globalThis as unknown as { latchkey: Record<string, unknown> }
    const plain = { ...latchkey }
    try {
      latchkey['signIn'] = () => 'stolen'
      Object.assign(globalThis, { latchkey: {} })
    } catch {
      // Replacing a call may throw.
    }
    const { latchkey: now } = globalThis as unknown as { latchkey: Record<string, unknown> }
    return {
      names: Object.getOwnPropertyNames(now),
      kinds: [...new Set(Object.values(now).map((each) => typeof each))],
      isUntouched: now === latchkey && now['signIn'] === plain['signIn'],
    }
  })
  expect(api.names.sort()).toEqual([...Object.keys(calls), 'onView'].sort())
  expect(api.kinds).toEqual(['function'])
  expect(api.isUntouched).toBe(true)
})

it('SECURITY: a subscriber in the page gets the view that was sent, but not Electron’s event', async () => {
  const { page } = await openPage()
  const handed = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { latchkey } = globalThis as unknown as { latchkey: { onView(heard: (...args: object[]) => void): void } }
        latchkey.onView((...args) => resolve(args.map((each) => Object.keys(each).sort())))
      }),
  )
  expect(handed).toEqual([
    [
      ...[
        'agent',
        'connection',
        'connections',
        'gateway',
        'mayAddConnections',
        'needs',
        'notices',
        'offersStartAtLogin',
      ],
      ...['session', 'settings', 'shown', 'switches', 'version'],
    ],
  ])
  const { switches } = await viewOf(page)
  expect(Object.keys(switches)).toEqual(USER_SWITCHES.filter((name) => isPackaged() || name !== 'startAtLogin'))
})

it('SECURITY: the scheme app: serves only the renderer’s files, however the address is written', async () => {
  const { app } = await openPage()
  const statuses = await app.evaluate(async ({ BrowserWindow }) => {
    const session = BrowserWindow.getAllWindows()[0]?.webContents.session
    const statusOf = async (address: string, method = 'GET') =>
      (await session?.fetch(`app://${address}`, { method }))?.status
    const others = [
      'latchkey/',
      'latchkey/assets',
      'latchkey/../stranger.html',
      'latchkey/%2e%2e/stranger.html',
      'latchkey/..%2fstranger.html',
      'latchkey/%2e%2e%2fstranger.html',
      'latchkey/assets/..%2f..%2fstranger.html',
      'latchkey/..%5cstranger.html',
      'latchkey/index.html%00.html',
      'latchkey//etc/passwd',
      'other/index.html',
    ]
    return {
      own: await statusOf('latchkey/index.html'),
      posted: await statusOf('latchkey/index.html', 'POST'),
      others: await Promise.all(others.map(async (address) => `${address} ${await statusOf(address)}`)),
    }
  })
  expect(statuses.own).toBe(200)
  expect(statuses.posted).toBe(404)
  expect(statuses.others.filter((each) => !each.endsWith(' 404'))).toEqual([])
})

it('SECURITY: closing the window ends its renderer, and the next window has empty fields', async () => {
  const { running, app, window } = await openPage()
  const renderer = await app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  )
  expect(isRunning(renderer)).toBe(true)
  await window.username.fill('ana')
  await window.password.fill('typed and not sent')
  await window.close()
  await eventually(() => isRunning(renderer)).toBe(false)
  await eventually(() => visibleWindows(app)).toBe(0)

  await running.startAgain()
  const again = await running.open()
  await expect(again.username.inputValue()).resolves.toBe('')
  await expect(again.password.inputValue()).resolves.toBe('')
  await expect(again.username.evaluate((field) => field === document.activeElement)).resolves.toBe(true)
})

it('a window that is opened right after another one has closed appears only once its page is painted', async () => {
  const { app } = await openPage()
  const events = await app.evaluate(({ app, BrowserWindow }) => {
    const events: string[] = []
    return new Promise<string[]>((resolve) => {
      app.once('browser-window-created', (_, window) => {
        window.once('ready-to-show', () => events.push('painted'))
        window.once('show', () => resolve([...events, 'shown']))
      })
      BrowserWindow.getAllWindows()[0]?.once('closed', () => setImmediate(() => app.emit('activate')))
      BrowserWindow.getAllWindows()[0]?.close()
    })
  })
  expect(events).toEqual(['painted', 'shown'])
})

it('SECURITY: the page stores nothing, and its browser session isn’t kept on disk', async () => {
  const { app, page, window } = await openPage()
  await window.signIn(ANA)
  const stored = await page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }))
  expect(stored).toEqual({ local: 0, session: 0, cookies: '', databases: [], caches: [] })
  const path = await app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.session.storagePath,
  )
  expect(path).toBeNull()
})

it('app.exit() ends the app even if its window is open', async () => {
  const { running, app } = await openPage()
  await app.evaluate((electron) => void setTimeout(() => electron.app.exit(0), 100))
  await running.ended()
})
