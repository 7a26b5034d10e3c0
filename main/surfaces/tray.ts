import { Menu, type MenuItemConstructorOptions, Tray } from 'electron'
import type { CallName } from '../../contract/calls.ts'
import type { Failure, Outcome } from '../../contract/failures.ts'
import type { Texts } from '../../text/index.ts'
import type { ViewStore } from '../app/view-store.ts'
import type { Clock } from '../base/clock.ts'
import { showStartAtLoginRefused } from './dialogs.ts'
import { askTrayHost, awaitTrayHost } from './tray-host.ts'
import { trayIcon } from './tray-icons.ts'
import { FIRST_ICON, type TrayAction, type TrayEntry, type TrayModel, trayModel } from './tray-model.ts'
import type { MainWindow } from './window.ts'

export interface TrayPorts {
  /** The tray icon. It is already visible with its first picture, but without tooltip and menu. */
  readonly tray: Tray
  readonly views: Pick<ViewStore, 'view' | 'subscribe'>
  readonly window: Pick<MainWindow, 'show'>
  /** Each function applies to the connection with this name. Without a name, it applies to the shown connection. */
  readonly sessions: {
    show(name: string): void
    refreshNow(name: string | undefined): void
    signOut(name: string | undefined): void
  }
  readonly clipboard: {
    copyToken(name: string | undefined): Promise<Outcome>
    canCopyToken(name: string): boolean
    isTokenCopied(name: string): boolean
  }
  readonly agent: {
    /** True if tools use this connection. `undefined` is the shown connection. */
    isInUse(connection: string | undefined): boolean
  }
  readonly switches: {
    toggle(name: 'startAtLogin'): Promise<boolean>
  }
  readonly quit: () => void
  readonly changed: () => void
  readonly onFailure: (name: CallName, failure: Failure) => void
  readonly texts: Texts
  readonly clock: Clock
  readonly platform: NodeJS.Platform
}

export class AppTray {
  readonly #ports: TrayPorts
  #tray: Tray | undefined
  #shown: TrayModel | undefined = { icon: FIRST_ICON, tooltip: '', menu: [] }
  #cancelTimer = (): void => {}
  readonly #stopped = new AbortController()

  constructor(ports: TrayPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#tray = this.#listened(this.#ports.tray)
    this.#untilStopped(this.#ports.views.subscribe(() => this.#render()))
  }

  /** Draws the icon again for a panel that starts later than the app, which often happens at login. */
  watchPanel(): void {
    const { platform, clock } = this.#ports
    if (platform !== 'linux') return
    void askTrayHost({ clock }).then((host) => {
      if (host === 'present' || this.#stopped.signal.aborted) return
      this.#untilStopped(awaitTrayHost('session', () => this.#redraw()))
    })
  }

  /** Stops updating the icon. It stays visible until the process ends. */
  stop(): void {
    this.#stopped.abort()
    this.#cancelTimer()
  }

  #untilStopped(end: () => void): void {
    this.#stopped.signal.addEventListener('abort', end)
  }

  #render(): void {
    const { clock, platform } = this.#ports
    const model = this.#model()
    const shown = this.#shown
    this.#shown = model
    if (this.#tray === undefined) this.#tray = this.#listened(new Tray(trayIcon(model.icon, platform)))
    else if (shown?.icon !== model.icon) this.#tray.setImage(trayIcon(model.icon, platform))
    if (shown?.tooltip !== model.tooltip) this.#tray.setToolTip(model.tooltip)
    // On Linux a menu can't be changed, only replaced (Electron: Tray, platform considerations).
    if (JSON.stringify(shown?.menu) !== JSON.stringify(model.menu)) {
      this.#tray.setContextMenu(Menu.buildFromTemplate(model.menu.map((entry) => this.#item(entry))))
    }
    this.#cancelTimer()
    if (model.staleIn !== undefined) this.#cancelTimer = clock.at(clock.now() + model.staleIn, () => this.#render())
  }

  #model(): TrayModel {
    const { views, texts, clock, clipboard } = this.#ports
    const { view } = views
    return trayModel(view, texts, {
      now: clock.wall(),
      canCopyToken: (name) => clipboard.canCopyToken(name),
      isTokenCopied: (name) => clipboard.isTokenCopied(name),
    })
  }

  #refresh(): void {
    this.#ports.changed()
    this.#render()
  }

  #redraw(): void {
    this.#tray?.destroy()
    this.#tray = undefined
    this.#shown = undefined
    this.#render()
  }

  #listened(tray: Tray): Tray {
    const { platform, window } = this.#ports
    // On macOS a click only opens the menu.
    if (platform !== 'darwin') tray.on('click', () => window.show())
    // The user may open the menu next, so its time and its checkbox are brought up to date. Linux sends no such event.
    tray.on('mouse-enter', () => this.#refresh())
    tray.on('right-click', () => this.#refresh())
    return tray
  }

  #item({ action, connection, submenu, ...item }: TrayEntry): MenuItemConstructorOptions {
    return {
      ...item,
      ...(action && { click: () => this.#do(action, connection) }),
      ...(submenu && { submenu: submenu.map((each) => this.#item(each)) }),
    }
  }

  #do(action: TrayAction, connection?: string): void {
    const { window, sessions, agent, quit } = this.#ports
    const acts: Readonly<Record<TrayAction, () => void>> = {
      show: () => this.#show(connection),
      signIn: () => this.#show(connection, 'signIn'),
      refreshNow: () => sessions.refreshNow(connection),
      copyToken: () => void this.#copyToken(connection),
      signOut: () => (agent.isInUse(connection) ? this.#show(connection, 'signOut') : sessions.signOut(connection)),
      startAtLogin: () => void this.#toggleStartAtLogin(),
      settings: () => window.show('settings'),
      help: () => window.show('about'),
      quit,
    }
    acts[action]()
  }

  #show(connection: string | undefined, screen?: 'signIn' | 'signOut'): void {
    const { sessions, window } = this.#ports
    if (connection !== undefined) sessions.show(connection)
    window.show(screen)
  }

  async #copyToken(connection: string | undefined): Promise<void> {
    const { clipboard, window, onFailure } = this.#ports
    const outcome = await clipboard.copyToken(connection)
    if (outcome.ok) return
    onFailure('copyToken', outcome.failure)
    window.show()
  }

  async #toggleStartAtLogin(): Promise<void> {
    const { switches, texts } = this.#ports
    if (await switches.toggle('startAtLogin')) return
    // The desktop has already toggled the checkbox, so this restores the actual state.
    this.#redraw()
    showStartAtLoginRefused(texts)
  }
}
