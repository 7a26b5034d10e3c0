import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { ANA } from '../../demo/users.ts'
import { startPage } from '../../main/surfaces/app-protocol.ts'
import { filesUnder } from '../support/leaks.ts'
import { sharePage } from '../support/share.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

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
    'app://latchkey/assets/none.js',
    'chrome://gpu',
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
  await expect.poll(() => cancelled.jsonValue()).toEqual([true])
  expect(filesUnder(desk.home).filter(({ place }) => place.includes('stolen'))).toEqual([])
})

it('SECURITY: the page is given no permission and no device, and can’t read the clipboard', async () => {
  const { app, page } = await openPage()
  await app.evaluate(({ clipboard }) => clipboard.writeText('the user’s own'))
  await page.mouse.click(5, 5)
  const granted = await page.evaluate(async () => {
    const names = ['notifications', 'geolocation', 'camera', 'clipboard-read', 'clipboard-write']
    const states = names.map(
      async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state,
    )
    const given = [
      navigator.mediaDevices.getUserMedia({ video: true, audio: true }),
      navigator.mediaDevices.getDisplayMedia(),
      navigator.clipboard.readText(),
      navigator.requestMIDIAccess(),
    ]
    const field = document.body.appendChild(document.createElement('textarea'))
    field.focus()
    document.execCommand('paste')
    return {
      pasted: field.value,
      states: [...new Set(await Promise.all(states))],
      given: (await Promise.allSettled(given)).filter(({ status }) => status === 'fulfilled'),
      lasting: await navigator.storage.persist(),
    }
  })
  expect(granted).toEqual({ pasted: '', states: ['denied'], given: [], lasting: false })
})

it('SECURITY: the page has only the calls of the contract, can’t replace them, and has nothing of Node or Electron', async () => {
  const { page } = await openPage()
  const names = ['require', 'process', 'module', 'global', 'Buffer', 'ipcRenderer', 'electron']
  const api = await page.evaluate(async (foreign) => {
    type Api = Record<string, unknown> & { onView(heard: (...args: object[]) => void): void }
    const { latchkey } = globalThis as unknown as { latchkey: Api }
    const plain = { ...latchkey }
    try {
      latchkey['signIn'] = () => 'stolen'
      Object.assign(globalThis, { latchkey: {} })
    } catch {
      // Replacing a call may throw.
    }
    const { latchkey: now } = globalThis as unknown as { latchkey: Api }
    const heard = await new Promise<object[]>((resolve) => now.onView((...args) => resolve(args)))
    return {
      names: Object.getOwnPropertyNames(now),
      isUntouched: now === latchkey && now['signIn'] === plain['signIn'],
      heard: heard.map((each) => 'session' in each && !('sender' in each)),
      foreign: foreign.filter((name) => name in globalThis),
    }
  }, names)
  expect(api.names.sort()).toEqual([...Object.keys(calls), 'onView'].sort())
  // A subscriber gets the view alone, without Electron's event.
  expect(api).toMatchObject({ isUntouched: true, heard: [true], foreign: [] })
})

it('SECURITY: the scheme app: serves only the renderer’s files', async () => {
  const { app } = await openPage()
  const statuses = await app.evaluate(async ({ BrowserWindow }) => {
    const session = BrowserWindow.getAllWindows()[0]?.webContents.session
    const addresses = ['latchkey/index.html', 'latchkey/..%2fstranger.html', 'latchkey//etc/passwd', 'other/index.html']
    const asked = addresses.map((address) => session?.fetch(`app://${address}`))
    const answers = await Promise.all([...asked, session?.fetch('app://latchkey/index.html', { method: 'POST' })])
    return answers.map((answer) => answer?.status)
  })
  expect(statuses).toEqual([200, 404, 404, 404, 404])
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
