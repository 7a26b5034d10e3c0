/** Which pages the main process answers, and which channels it has. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type CallName, calls } from '../../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../../contract/channels.ts'
import { ANA } from '../../demo/users.ts'
import { openSignedIn, openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import type { LatchkeyWindow } from '../support/window.ts'

const CHANNELS = (Object.keys(calls) as CallName[]).map(channelOf)

/** Expects that the service got only these requests, and that the user is still signed in. */
async function expectUntouched(
  desk: TestDesktop,
  window: LatchkeyWindow,
  asked: readonly (string | undefined)[] = ['login'],
): Promise<void> {
  expect(desk.service.requests.map(({ operation }) => operation)).toEqual(asked)
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
}

it('SECURITY: the main process listens only on the contract’s channels, not on electron-store’s', async () => {
  const { app, open } = await (await openTestDesktop()).start()
  // Waits for the window, because V8 may collect the result of `evaluate` while the app loads, before Playwright gets
  // it.
  await open()
  const channels = await app.evaluate(({ ipcMain }) => {
    const { _invokeHandlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> }
    return {
      answered: [..._invokeHandlers.keys()],
      heard: ipcMain.eventNames().filter((name) => name !== 'error'),
    }
  })
  expect(channels.answered.sort()).toEqual([...CHANNELS].sort())
  expect(channels.heard.sort()).toEqual([SUBSCRIBE_CHANNEL])
})

it('SECURITY: another window gets no answer, even if it shows our page', async () => {
  const stranger = `
    const { contextBridge, ipcRenderer } = require('electron')
    contextBridge.exposeInMainWorld('stranger', {
      invoke: (channel, input) => ipcRenderer.invoke(channel, input).then(JSON.stringify, (error) => error.message),
      send: (channel) => ipcRenderer.send(channel),
      hear: (channel, heard) => { ipcRenderer.on(channel, () => heard()) },
    })`
  const place = (folder: string) => writeFileSync(path.join(folder, 'stranger.cjs'), stranger)
  const desk = await openTestDesktop({ alter: place })
  const { app, open } = await desk.start()
  const window = await open()
  await window.signIn(ANA)

  const [other] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(async ({ app: main, BrowserWindow, session }) => {
      const preload = `${main.getAppPath()}/stranger.cjs`
      const partition = session.fromPartition('latchkey')
      const opened = new BrowserWindow({ show: false, webPreferences: { preload, session: partition } })
      await opened.loadURL('app://latchkey/index.html')
    }),
  ])
  const answers = await other.evaluate(
    async ({ channels, subscribe, view }) => {
      const { stranger: ipc } = globalThis as unknown as {
        stranger: {
          invoke(channel: string, input?: unknown): Promise<string>
          send(channel: string): void
          hear(channel: string, heard: () => void): void
        }
      }
      const heard: string[] = []
      ipc.hear(view, () => heard.push(view))
      ipc.send(subscribe)
      const answered = await Promise.all(channels.map((channel) => ipc.invoke(channel)))
      return { heard, answered }
    },
    { channels: CHANNELS, subscribe: SUBSCRIBE_CHANNEL, view: VIEW_CHANNEL },
  )
  expect(answers.heard).toEqual([])
  expect(answers.answered).toEqual(CHANNELS.map((channel) => expect.stringMatching(`${channel}.*not allowed`)))
  await expectUntouched(desk, window)
})

it('SECURITY: a frame in our page gets no answer, even with the preload script and no content security policy', async () => {
  const { desk, window } = await openSignedIn({ alter: giveFramesThePreload })
  const { page } = window
  const tools = await page.context().newCDPSession(page)
  await tools.send('Page.setBypassCSP', { enabled: true })
  await page.reload()

  const answers = await page.evaluate(async () => {
    type Api = { refreshNow(): Promise<unknown>; onView(heard: () => void): void }
    const frame = document.createElement('iframe')
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    frame.srcdoc = '<p>A stranger</p>'
    document.body.append(frame)
    await loaded
    const { latchkey } = frame.contentWindow as unknown as { latchkey: Api }
    const heard: string[] = []
    latchkey.onView(() => heard.push('view'))
    return { answered: await latchkey.refreshNow().then(JSON.stringify, (error: Error) => error.message), heard }
  })
  expect(answers).toEqual({ answered: expect.stringContaining('not allowed'), heard: [] })
  await expectUntouched(desk, window)
})

function giveFramesThePreload(folder: string): void {
  const file = path.join(folder, 'out/main/run-app.cjs')
  const option = /nodeIntegrationInSubFrames:\s*(!1|false)/
  const code = readFileSync(file, 'utf8')
  expect(code).toMatch(option)
  writeFileSync(file, code.replace(option, 'nodeIntegrationInSubFrames: true'))
}
