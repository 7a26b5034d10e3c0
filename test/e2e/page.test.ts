import { expect, it } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { startPage } from '../../main/surfaces/app-protocol.ts'
import { eventually } from '../support/eventually.ts'
import { filesUnder } from '../support/leaks.ts'
import { sharePage } from '../support/share.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const START_PAGE = startPage('de')

const openPage = sharePage(['--use-fake-device-for-media-stream'])

// This test has an app of its own, because the debugger keeps waiting for the navigations that the app prevents.
it('SECURITY: the page never navigates away', async () => {
  const desk = await openTestDesktop()
  const { open } = await desk.start()
  const { page } = await open()
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))
  for (const address of [
    `${desk.service.address}/stolen`,
    'javascript:void(document.title = "stolen")',
    'app://latchkey/assets/none.js',
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
  expect(desk.service.requests).toEqual([])
})

it('SECURITY: a download in the page’s browser session is cancelled', async () => {
  const { desk, app } = await openPage()
  const cancelled = await app.evaluateHandle(({ BrowserWindow }) => {
    const heard: boolean[] = []
    BrowserWindow.getAllWindows()[0]?.webContents.session.on('will-download', (event, item) => {
      item.setSavePath(`${process.env['HOME']}/stolen.txt`)
      heard.push(event.defaultPrevented)
    })
    return heard
  })
  // A download that the page requests never begins, so the main process starts one for the app to cancel.
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.downloadURL('data:text/plain,stolen')
  })
  await eventually(() => cancelled.jsonValue()).toEqual([true])
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

it('SECURITY: the page has only the calls of the contract, and nothing of Node or Electron', async () => {
  const { page } = await openPage()
  const api = await page.evaluate(async () => {
    type Api = { onView(heard: (...args: object[]) => void): void }
    const { latchkey } = globalThis as unknown as { latchkey: Api }
    const heard = await new Promise<object[]>((resolve) => latchkey.onView((...args) => resolve(args)))
    return {
      names: Object.getOwnPropertyNames(latchkey),
      heard: heard.map((each) => 'session' in each && !('sender' in each)),
      foreign: ['require', 'process', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globalThis),
    }
  })
  expect(api.names.sort()).toEqual([...Object.keys(calls), 'onView'].sort())
  // A subscriber gets the view alone, without Electron's event.
  expect(api).toMatchObject({ heard: [true], foreign: [] })
})

it('SECURITY: the page’s browser session isn’t kept on disk', async () => {
  const { app } = await openPage()
  const path = await app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.session.storagePath,
  )
  expect(path).toBeNull()
})
