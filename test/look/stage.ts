/** A main process that shows any view in the app's page, with its preload script and policy. It stores nothing. */
import path from 'node:path'
import { app, BrowserWindow, ipcMain, protocol, session } from 'electron'
import { type CallName, calls } from '../../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../../contract/channels.ts'
import type { Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import { registerAppScheme, serveRenderer, startPage } from '../../main/surfaces/app-protocol.ts'

export interface Scene {
  readonly view: AppView
  readonly answers: { readonly [N in CallName]?: Outcome<unknown> }
}

/** What tests find in the main process as `globalThis.stage`. */
export interface Stage {
  scene: Scene | undefined
  push(view: AppView): void
}

registerAppScheme(protocol)

void app.whenReady().then(() => {
  serveRenderer(session.defaultSession, path.join(app.getAppPath(), 'out/renderer'))
  const window = new BrowserWindow({
    width: 420,
    height: 560,
    useContentSize: true,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
      preload: path.join(app.getAppPath(), 'out/preload/preload.cjs'),
    },
  })
  const stage: Stage = {
    scene: undefined,
    push: (view) => window.webContents.send(VIEW_CHANNEL, view),
  }
  Object.assign(globalThis, { stage })

  const never = new Promise<never>(() => {})
  for (const name of Object.keys(calls) as CallName[]) {
    ipcMain.handle(channelOf(name), () => stage.scene?.answers[name] ?? never)
  }
  ipcMain.on(SUBSCRIBE_CHANNEL, ({ sender }) => sender.send(VIEW_CHANNEL, stage.scene?.view))
  // A blinking caret would make pictures differ.
  window.webContents.on('dom-ready', () => void window.webContents.insertCSS('* { caret-color: transparent }'))
  void window.loadURL(startPage('en-GB'))
})

app.on('window-all-closed', () => app.quit())
