import { Menu, type MenuItemConstructorOptions, type NativeImage, Tray } from 'electron'
import type { Clock } from '../session/ports.ts'
import { FIRST_ICON, type TrayAction, type TrayEntry, type TrayIcon, type TrayModel } from './tray-model.ts'

interface TrayOptions {
  /** Shown already, with the first icon and nothing else. */
  readonly tray: Tray
  /** What it shows now. */
  readonly model: () => TrayModel
  readonly icon: (icon: TrayIcon) => NativeImage | string
  /** Told the name of the connection, where it is about one. */
  readonly actions: Readonly<Record<TrayAction, (connection?: string) => void>>
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly platform: NodeJS.Platform
}

/** The tray icon. `render` may be called as often as one likes: only what changed is set. */
export class TrayView {
  readonly #options: TrayOptions
  #tray: Tray | undefined
  #shown: TrayModel | undefined = { icon: FIRST_ICON, tooltip: '', menu: [] }
  #cancelTimer: (() => void) | undefined

  constructor(options: TrayOptions) {
    this.#options = options
    this.#tray = this.#listened(options.tray)
  }

  render(): void {
    const { icon, clock } = this.#options
    const model = this.#options.model()
    const shown = this.#shown
    this.#shown = model
    if (this.#tray === undefined) this.#tray = this.#listened(new Tray(icon(model.icon)))
    else if (shown?.icon !== model.icon) this.#tray.setImage(icon(model.icon))
    if (shown?.tooltip !== model.tooltip) this.#tray.setToolTip(model.tooltip)
    // On Linux a menu can't be changed, only replaced (Electron: Tray, platform considerations).
    if (JSON.stringify(shown?.menu) !== JSON.stringify(model.menu)) {
      this.#tray.setContextMenu(Menu.buildFromTemplate(model.menu.map((entry) => this.#item(entry))))
    }
    this.#cancelTimer?.()
    this.#cancelTimer =
      model.staleIn === undefined ? undefined : clock.at(clock.now() + model.staleIn, () => this.render())
  }

  /** Makes the icon anew, for a panel that wasn't there when it was made. */
  renew(): void {
    this.stop()
    this.render()
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#tray?.destroy()
    this.#tray = undefined
    this.#shown = undefined
  }

  #listened(tray: Tray): Tray {
    const { actions, platform } = this.#options
    // On macOS a click opens the menu, and nothing else.
    if (platform !== 'darwin') tray.on('click', () => actions.show())
    // The menu may be opened next: it tells the time that is left now. Linux tells nobody.
    tray.on('mouse-enter', () => this.render())
    tray.on('right-click', () => this.render())
    return tray
  }

  #item(entry: TrayEntry): MenuItemConstructorOptions {
    const { actions } = this.#options
    switch (entry.type) {
      case 'line':
        return { label: entry.label, enabled: false }
      case 'separator':
        return { type: 'separator' }
      case 'action':
        return { label: entry.label, enabled: entry.enabled, click: () => actions[entry.action](entry.connection) }
      case 'checkbox':
        return { type: 'checkbox', label: entry.label, checked: entry.checked, click: () => actions[entry.action]() }
      case 'submenu':
        return { label: entry.label, submenu: entry.entries.map((each) => this.#item(each)) }
    }
  }
}
