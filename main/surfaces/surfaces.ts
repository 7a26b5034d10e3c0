import path from 'node:path'
import { app, ipcMain, Menu, type Session } from 'electron'
import type { Part } from '../app/phases.ts'
import type { Log } from '../log/log.ts'
import { Ipc, type IpcPorts } from './ipc.ts'
import { AppMenu } from './menus.ts'
import { Notifications, type NotificationsPorts } from './notifications.ts'
import { SessionLog } from './session-log.ts'
import { AppTray, type TrayPorts } from './tray.ts'
import { MainWindow, type MainWindowPorts } from './window.ts'

export type SurfacePorts = Omit<MainWindowPorts, 'servePage' | 'preload' | 'devTools'> &
  Omit<IpcPorts, 'ipcMain' | 'window'> &
  Omit<TrayPorts, 'window' | 'quit'> &
  Omit<NotificationsPorts, 'window'> & {
    readonly log: Log
    /** Makes a session show the page that is built in a folder. */
    readonly serveRenderer: (session: Session, folder: string) => void
  }

export interface Surfaces {
  /** The surfaces by name, in the order in which they start. A surface that has not started shows nothing. */
  readonly parts: Readonly<Record<string, Required<Part>>>
  readonly window: Pick<MainWindow, 'show' | 'shown'>
  readonly tray: Pick<AppTray, 'watchPanel'>
}

/** Creates all surfaces. A surface may use the earlier ones, never a later one. */
export function createSurfaces(ports: SurfacePorts): Surfaces {
  const sessionLog = new SessionLog(ports)
  const window = new MainWindow({
    ...ports,
    servePage: (session) => ports.serveRenderer(session, path.join(app.getAppPath(), 'out/renderer')),
    preload: path.join(app.getAppPath(), 'out/preload/preload.cjs'),
    devTools: !app.isPackaged,
  })
  const ipc = new Ipc({ ...ports, ipcMain, window })
  const tray = new AppTray({ ...ports, window, quit: () => app.quit() })
  const notifications = new Notifications({ ...ports, window })
  const menu = new AppMenu({ ...ports, menu: Menu, window })
  return { parts: { sessionLog, window, ipc, tray, notifications, menu }, window, tray }
}
