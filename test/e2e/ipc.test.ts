import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type CallName, calls } from '../../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../../contract/channels.ts'
import { ANA } from '../../demo/users.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const CHANNELS = (Object.keys(calls) as CallName[]).map(channelOf)

it('SECURITY: only the contract’s channels exist, and another window gets no answer, even if it shows our page', async () => {
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
  const existing = await app.evaluate(({ ipcMain }) => {
    const { _invokeHandlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> }
    return [..._invokeHandlers.keys(), ...ipcMain.eventNames().filter((name) => name !== 'error')]
  })
  expect(existing.sort()).toEqual([...CHANNELS, SUBSCRIBE_CHANNEL].sort())

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
  expect(desk.service.requests.map(({ operation }) => operation)).toEqual(['login'])
  await expect(window.signedIn.isVisible()).resolves.toBe(true)
})
