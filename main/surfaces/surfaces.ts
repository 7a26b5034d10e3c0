import path from 'node:path'
import { app, ipcMain, Menu, type Session, type Tray } from 'electron'
import type { Texts } from '../../text/index.ts'
import type { Part } from '../app/phases.ts'
import type { ViewStore } from '../app/view-store.ts'
import type { Clock } from '../base/clock.ts'
import type { KeyValueStore } from '../base/key-value-store.ts'
import type { Log, Report } from '../log/log.ts'
import { Ipc, type IpcPorts } from './ipc.ts'
import { macMenu } from './menus.ts'
import { Notifications, type NotificationsPorts } from './notifications.ts'
import { SessionLog } from './session-log.ts'
import { AppTray, type TrayPorts } from './tray.ts'
import { MainWindow, type MainWindowPorts } from './window.ts'

export interface SurfacePorts {
  readonly views: ViewStore
  readonly handlers: IpcPorts['handlers']
  readonly sessions: TrayPorts['sessions'] & NotificationsPorts['sessions']
  readonly agent: TrayPorts['agent']
  readonly clipboard: TrayPorts['clipboard']
  readonly switches: TrayPorts['switches']
  readonly diagnostics: MainWindowPorts['diagnostics']
  readonly navigation: MainWindowPorts['navigation']
  readonly store: KeyValueStore
  readonly texts: Texts
  readonly platform: NodeJS.Platform
  readonly clock: Clock
  readonly log: Log
  readonly report: Report
  /** Called when a value that the view takes from the desktop may have changed, such as the login item. */
  readonly changed: () => void
  readonly onFailure: IpcPorts['onFailure']
}

interface SurfaceSystem {
  readonly tray: Tray
  /** The user's locale, and the locale in which times are written (BCP 47). */
  readonly locale: string
  readonly timeLocale: string
  readonly serveRenderer: (session: Session, folder: string) => void
}

export interface Surfaces {
  /** The surfaces by name, in the order in which they start. A surface that has not started shows nothing. */
  readonly parts: Readonly<Record<string, Part>>
  readonly window: Pick<MainWindow, 'show' | 'shown'>
  readonly tray: Pick<AppTray, 'watchPanel'>
}

export function createSurfaces(ports: SurfacePorts, system: SurfaceSystem): Surfaces {
  const { texts, platform } = ports
  const { locale, timeLocale, serveRenderer } = system
  const sessionLog = new SessionLog(ports)
  const window = new MainWindow({
    ...ports,
    locale,
    timeLocale,
    servePage: (session) => serveRenderer(session, path.join(app.getAppPath(), 'out/renderer')),
    preload: path.join(app.getAppPath(), 'out/preload/preload.cjs'),
    devTools: !app.isPackaged,
  })
  const ipc = new Ipc({ ...ports, ipcMain, window })
  const tray = new AppTray({ ...ports, tray: system.tray, window, quit: () => app.quit() })
  const notifications = new Notifications({ ...ports, window })
  const menu = {
    start() {
      if (platform === 'darwin') Menu.setApplicationMenu(Menu.buildFromTemplate(macMenu(texts, window)))
    },
  }
  return { parts: { sessionLog, window, ipc, tray, notifications, menu }, window, tray }
}
