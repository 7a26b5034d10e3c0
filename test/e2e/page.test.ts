/** What the page can't do, should a stranger's script ever run in it. Tried from within the running page. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { calls, READY_CHANNEL } from '../../preload/contract.ts'
import { isPackaged } from '../support/app.ts'
import { openDesk } from '../support/desk.ts'
import { filesUnder } from '../support/leaks.ts'

const START_PAGE = 'app://latchkey/index.html'

async function openPage(args: readonly string[] = []) {
  const desk = await openDesk()
  const running = await desk.start({ args })
  const window = await running.open()
  return { desk, running, app: running.app, window, page: window.page }
}

it('stays where it is, wherever it is told to go', async () => {
  const { desk, app, page } = await openPage()
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
  ]) {
    await page.evaluate((to) => {
      location.href = to
      const link = Object.assign(document.createElement('a'), { href: to })
      document.body.append(link)
      link.click()
    }, address)
    // Long enough for a page of this machine to arrive.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    await expect(page.evaluate(() => document.title)).resolves.toBe('Latchkey')
  }
  expect(visited).toEqual([])
  expect(page.url()).toBe(START_PAGE)
  expect(app.windows()).toHaveLength(1)
  expect(desk.service.requests).toEqual([])
})

it('opens no window', async () => {
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

it('saves no file', async () => {
  const { desk, app, page } = await openPage()
  const cancelled = app.evaluate(
    ({ BrowserWindow }) =>
      new Promise((resolve) => {
        BrowserWindow.getAllWindows()[0]?.webContents.session.on('will-download', (event, item) => {
          item.setSavePath(`${process.env['HOME']}/stolen.txt`)
          resolve(event.defaultPrevented)
        })
      }),
  )
  await page.evaluate(() => {
    const href = URL.createObjectURL(new Blob(['stolen']))
    const link = Object.assign(document.createElement('a'), { href, download: 'stolen.txt' })
    document.body.append(link)
    link.click()
  })
  await expect(cancelled).resolves.toBe(true)
  expect(filesUnder(desk.home).filter(({ place }) => place.includes('stolen'))).toEqual([])
})

it('is given no permission and no device', async () => {
  const { page } = await openPage(['--use-fake-device-for-media-stream'])
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

it('knows nothing of Node and Electron', async () => {
  const { page } = await openPage()
  const names = ['require', 'process', 'module', 'exports', 'global', 'Buffer', 'ipcRenderer', 'electron', '__dirname']
  const known = await page.evaluate((all) => all.filter((name) => name in globalThis), names)
  expect(known).toEqual([])
})

it('has the calls of the contract and no other, and can’t put its own in their place', async () => {
  const { page } = await openPage()
  const api = await page.evaluate(() => {
    const { latchkey } = globalThis as unknown as { latchkey: Record<string, unknown> }
    const plain = { ...latchkey }
    try {
      latchkey['signIn'] = () => 'stolen'
      Object.assign(globalThis, { latchkey: {} })
    } catch {
      // Refusing loudly is as good.
    }
    const { latchkey: now } = globalThis as unknown as { latchkey: Record<string, unknown> }
    return {
      names: Object.getOwnPropertyNames(now),
      kinds: [...new Set(Object.values(now).map((each) => typeof each))],
      isUntouched: now === latchkey && now['signIn'] === plain['signIn'],
    }
  })
  expect(api.names.sort()).toEqual([...Object.keys(calls), 'onView', 'ready'].sort())
  expect(api.kinds).toEqual(['function'])
  expect(api.isUntouched).toBe(true)
})

it('a subscriber is handed the view, and nothing of the message that brought it', async () => {
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
      ...['agent', 'connection', 'connections', 'mayAddConnections', 'notices', 'session', 'settings', 'shown'],
      ...(isPackaged() ? ['startAtLogin'] : []),
      'version',
    ],
  ])
})

it('stores nothing anywhere, and its session of the browser isn’t kept on the disk', async () => {
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

it('app: serves the renderer’s own files and nothing else, however the address is written', async () => {
  const desk = await openDesk({
    // Of a kind that is served, so that nothing but its place speaks against it.
    alter: (folder) => writeFileSync(path.join(folder, 'out/stranger.html'), 'A stranger'),
  })
  const { app } = await desk.start()
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

it('opened again, it comes with what it shows, and is painted before what makes it answer is loaded', async () => {
  const { running, app, window } = await openPage()
  const refused: string[] = []
  app.on('window', (page) => page.on('console', (message) => refused.push(message.text())))
  await window.signIn(ANA)
  // When the page asks for its files: milliseconds since the epoch.
  await app.evaluate(({ BrowserWindow }) => {
    const [open] = BrowserWindow.getAllWindows()
    const asked: Record<string, number> = {}
    Object.assign(globalThis, { asked })
    open?.webContents.session.webRequest.onBeforeRequest(({ url }, go) => {
      asked[url] = Date.now()
      go({})
    })
    open?.close()
  })
  await expect.poll(() => app.windows()).toHaveLength(0)

  const [again] = await Promise.all([app.waitForEvent('window'), running.startAgain()])
  await again.locator('#app:not([inert])').waitFor()
  const painted = await again.evaluate(
    () => performance.timeOrigin + (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
  )
  const asked = await app.evaluate(() => (globalThis as unknown as { asked: Record<string, number> }).asked)
  const askedFor = (name: RegExp) => Object.entries(asked).find(([url]) => name.test(url))?.[1]
  expect(askedFor(/\.css$/)).toBeLessThan(painted)
  expect(askedFor(/\/show-[^/]+\.js$/)).toBeGreaterThan(painted)
  const served = await app.evaluate(async ({ BrowserWindow }, address) => {
    const answer = await BrowserWindow.getAllWindows()[0]?.webContents.session.fetch(address)
    return answer?.text()
  }, START_PAGE)
  expect(served).toContain('<div id="app" inert>')
  expect(served).toContain('Signed in as Ana Duarte')
  await again.getByRole('button', { name: 'Sign out' }).click()
  await again.getByLabel('Username').waitFor()
  expect(refused).toEqual([])
})

it('the window is there as soon as its page is, which is painted in it', async () => {
  const { running, app } = await openPage()
  // The page can't be painted before it has its style.
  await app.evaluate(({ BrowserWindow }) => {
    const [open] = BrowserWindow.getAllWindows()
    open?.webContents.session.webRequest.onBeforeRequest({ urls: ['app://*/*.css'] }, (_, go) => {
      Object.assign(globalThis, { letStyleCome: () => go({}) })
    })
    open?.close()
  })
  await expect.poll(() => app.windows()).toHaveLength(0)

  const [again] = await Promise.all([app.waitForEvent('window'), running.startAgain()])
  const isShown = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true)
  await expect.poll(isShown).toBe(true)
  const painted = () => again.evaluate(() => performance.getEntriesByType('paint').length)
  expect(await painted()).toBe(0)
  await expect.poll(() => app.evaluate(() => 'letStyleCome' in globalThis)).toBe(true)
  await app.evaluate(() => (globalThis as unknown as { letStyleCome(): void }).letStyleCome())
  await again.locator('#app:not([inert])').waitFor()
  await expect.poll(painted).toBeGreaterThan(0)
})

describe('what is typed before the page answers', () => {
  /** A window that has come with the form, and doesn't answer: nothing does without the script. */
  async function openUnanswered() {
    const { desk, running, app } = await openPage()
    await app.evaluate(({ BrowserWindow }) => {
      const [open] = BrowserWindow.getAllWindows()
      open?.webContents.session.webRequest.onBeforeRequest({ urls: ['app://*/*/show-*.js'] }, (_, go) => {
        Object.assign(globalThis, { letScriptCome: () => go({}) })
      })
      open?.close()
    })
    await expect.poll(() => app.windows()).toHaveLength(0)
    const [page] = await Promise.all([app.waitForEvent('window'), running.startAgain()])
    await page.locator('#app[inert]').waitFor()
    const fields = () => Promise.all(['Username', 'Password'].map((label) => page.getByLabel(label).inputValue()))
    return {
      desk,
      app,
      page,
      fields,
      type: (keys: readonly string[]) =>
        app.evaluate(({ BrowserWindow }, typed) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents
          for (const keyCode of typed) {
            contents?.sendInputEvent({ type: 'keyDown', keyCode })
            contents?.sendInputEvent({ type: 'keyUp', keyCode })
          }
        }, keys),
      async letItAnswer() {
        expect(await fields()).toEqual(['', ''])
        await expect.poll(() => app.evaluate(() => 'letScriptCome' in globalThis)).toBe(true)
        await app.evaluate(() => (globalThis as unknown as { letScriptCome(): void }).letScriptCome())
        await page.locator('#app:not([inert])').waitFor()
      },
    }
  }

  it('is typed into it once it does, whatever a stranger says', async () => {
    const { desk, app, page, type, letItAnswer } = await openUnanswered()
    await type([...ANA.username, 'x', 'Backspace', 'Tab'])
    await app.evaluate(({ BrowserWindow, ipcMain }, channel) => {
      const sender = BrowserWindow.getAllWindows()[0]?.webContents
      ipcMain.emit(channel, { sender, senderFrame: null })
      ipcMain.emit(channel, { sender, senderFrame: { url: 'app://latchkey/', parent: {} } })
    }, READY_CHANNEL)
    await type([...ANA.password, 'Enter'])
    await letItAnswer()
    await page.getByRole('heading', { name: 'Signed in as Ana Duarte' }).waitFor()
    expect(desk.service.requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['login 200'])
  })

  it('SECURITY: is forgotten where somebody has clicked, as it was for another field', async () => {
    const { desk, app, page, fields, type, letItAnswer } = await openUnanswered()
    await type(['a'])
    await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      contents?.sendInputEvent({ type: 'mouseDown', x: 200, y: 300, button: 'left', clickCount: 1 })
      contents?.sendInputEvent({ type: 'mouseUp', x: 200, y: 300, button: 'left', clickCount: 1 })
    })
    await type([...ANA.password, 'Enter'])
    await letItAnswer()
    await page.keyboard.type('ana')
    expect(await fields()).toEqual(['ana', ''])
    expect(desk.service.requests).toEqual([])
  })
})
