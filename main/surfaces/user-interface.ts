import { app, autoUpdater, type BrowserWindow, dialog, Menu, type Session, type Tray } from 'electron'
import type { CallName, Handlers } from '../../contract/calls.ts'
import type { Failure } from '../../contract/failures.ts'
import type { AppView, Opening } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import type { KeyValueStore } from '../key-value-store.ts'
import { remembered } from '../key-value-store.ts'
import type { Report } from '../log/report.ts'
import type { Clock } from '../session/ports.ts'
import { attempt } from '../shell/attempt.ts'
import type { Openings } from '../shell/openings.ts'
import type { StartAtLogin } from '../shell/start-at-login.ts'
import type { ViewStore } from '../view-store.ts'
import { ORIGIN, START_PAGE } from './app-protocol.ts'
import { Ipc } from './ipc.ts'
import { MainWindow } from './main-window.ts'
import { fieldMenu, macMenu } from './menus.ts'
import { NoTray } from './no-tray.ts'
import { notificationModel } from './notification-model.ts'
import { canNotify, showNotification } from './notifications.ts'
import { Notifier } from './notifier.ts'
import { TrayView } from './tray.ts'
import { askTrayHost, awaitTrayHost } from './tray-host.ts'
import { trayIcon } from './tray-icons.ts'
import { trayModel } from './tray-model.ts'
import type { Zoom } from './zoom.ts'

interface UserInterfacePorts {
  readonly views: ViewStore<AppView>
  readonly changed: () => void
  readonly handlers: Handlers
  /** What the tray does about a connection, named or the shown one. */
  readonly connections: {
    show(name: string): void
    renewNow(name: string | undefined): void
    copyToken(name: string | undefined): void
    signOut(name: string | undefined): void
    canCopyToken(name: string): boolean
    /** Whether its access token is on the clipboard. */
    isTokenCopied(name: string): boolean
  }
  /** The icon, shown already. */
  readonly tray: Tray
  readonly texts: Texts
  readonly clock: Clock
  readonly platform: NodeJS.Platform
  /** The window's own, made when it is first needed. */
  readonly session: () => Session
  /** The self-contained preload script's path. */
  readonly preload: string
  readonly store: KeyValueStore
  readonly openings: Openings
  /** Shown in the window, and forgotten with it. */
  readonly checkUp: { forget(): void }
  readonly startAtLogin: StartAtLogin
  readonly report: Report
  /** Told of each call of the window that failed as calls may. */
  readonly onFailure: (name: CallName, failure: Failure) => void
}

/** All that a person sees: the window, the tray and the notifications, of one view. */
export class UserInterface {
  readonly #ports: UserInterfacePorts
  readonly #window: MainWindow
  readonly #ipc: Ipc
  readonly #tray: TrayView
  readonly #notifier: Notifier
  readonly #noTray: NoTray

  constructor(ports: UserInterfacePorts) {
    const { views, changed, handlers, connections, texts, clock, platform, store, openings, startAtLogin, report } =
      ports
    this.#ports = ports
    this.#window = new MainWindow({
      clock,
      preload: ports.preload,
      address: START_PAGE,
      session: ports.session,
      devTools: !app.isPackaged,
      place: remembered(store, 'window'),
      zoom: remembered(store, 'zoom'),
      contextMenu: (pointed) => fieldMenu(texts.shell, pointed),
      onOpened: () => {
        this.#noTray.windowOpened()
        // What the desktop has changed meanwhile, such as the entry for starting at login, is asked anew.
        changed()
      },
      onClosed: () => {
        openings.forget()
        ports.checkUp.forget()
        void this.#noTray.windowClosed()
      },
      report,
    })
    this.#ipc = new Ipc({
      handlers,
      views,
      contents: () => this.#window.contents,
      origin: ORIGIN,
      report,
      onFailure: ports.onFailure,
    })
    this.#tray = new TrayView({
      tray: ports.tray,
      model: () =>
        trayModel(views.view, texts, {
          now: clock.wall(),
          canCopyToken: connections.canCopyToken,
          isTokenCopied: connections.isTokenCopied,
          startsAtLogin: startAtLogin.view?.enabled,
        }),
      icon: (icon) => trayIcon(icon, platform),
      actions: {
        show: (name) => {
          if (name !== undefined) connections.show(name)
          this.show()
        },
        renewNow: connections.renewNow,
        copyToken: connections.copyToken,
        signOut: connections.signOut,
        startAtLogin: () => {
          const isDone = attempt('startAtLogin', () => startAtLogin.toggle(), report)
          changed()
          if (!isDone) this.#tellNotSet()
        },
        settings: () => this.#open('settings'),
        quit: () => app.quit(),
      },
      clock,
      platform,
    })
    this.#notifier = new Notifier({
      clock,
      show: (notice, onGone) => {
        if (notice.topic === 'noTray') this.#noTray.wasTold()
        const open = () => {
          if (notice.connection !== undefined) connections.show(notice.connection)
          if (notice.topic === 'signIn') this.#open('signIn')
          else this.show()
        }
        return showNotification(notice, open, onGone)
      },
      isWatched: () => this.#window.isInFront,
    })
    this.#noTray = new NoTray({
      ask: async () => (platform === 'linux' && canNotify() ? askTrayHost({ clock }) : 'unknown'),
      told: remembered(store, 'toldNoTray'),
      onChange: changed,
    })
  }

  /** The open window, if there is one. */
  get window(): BrowserWindow | undefined {
    return this.#window.current
  }

  /** Answers the window from now on, and the menu bar of macOS; elsewhere there is none (start.ts). */
  start(): void {
    const { platform, texts } = this.#ports
    const actions = { openSettings: () => this.#open('settings'), zoom: (zoom: Zoom) => this.#window.zoom(zoom) }
    if (platform === 'darwin') Menu.setApplicationMenu(Menu.buildFromTemplate(macMenu(texts, actions)))
    this.#ipc.start()
    this.#ports.views.subscribe((view) => this.#render(view))
    // macOS closes the windows for an update before it asks the app to quit (Electron: autoUpdater).
    autoUpdater.once('before-quit-for-update', () => this.#window.stop())
  }

  /** A panel that comes later than the app, as they do at login, gets the icon once more. */
  watchPanel(): void {
    const { platform, clock } = this.#ports
    if (platform !== 'linux') return
    void askTrayHost({ clock }).then((host) => host === 'present' || awaitTrayHost('session', () => this.#tray.renew()))
  }

  /** Takes back what stands outside of the window, and puts up no more. */
  stop(): void {
    this.#window.stop()
    this.#noTray.stop()
    this.#notifier.stop()
  }

  show(): void {
    this.#window.show()
  }

  #render(view: AppView): void {
    const { texts, clock } = this.#ports
    this.#tray.render()
    this.#notifier.render(notificationModel(view, texts, { now: clock.wall(), hasNoTray: this.#noTray.isDue }))
  }

  /** The desktop has ticked the entry, or unticked it, by itself: it is shown anew as it is. */
  #tellNotSet(): void {
    const { shell, settings } = this.#ports.texts
    this.#tray.renew()
    void dialog.showMessageBox({ type: 'error', message: shell.startAtLogin, detail: settings.desktop.notSet })
  }

  #open(screen: Opening['screen']): void {
    this.#ports.openings.ask(screen)
    this.#ports.changed()
    this.show()
  }
}
