import { Menu, type MenuItemConstructorOptions, type NativeImage, Tray } from 'electron'
import type { TrayAction, TrayEntry, TrayIcon, TrayModel } from './tray-model.ts'

interface TrayOptions {
  readonly icon: (icon: TrayIcon) => NativeImage
  readonly actions: Readonly<Record<TrayAction, () => void>>
}

/** Shows a TrayModel. `render` may be called as often as one likes: only what changed is set. */
export class TrayView {
  readonly #options: TrayOptions
  #tray: Tray | undefined
  #shown: TrayModel | undefined

  constructor(options: TrayOptions) {
    this.#options = options
  }

  render(model: TrayModel): void {
    const { icon, actions } = this.#options
    const shown = this.#shown
    this.#shown = model
    if (this.#tray === undefined) {
      this.#tray = new Tray(icon(model.icon))
      this.#tray.on('click', actions.show)
    } else if (shown?.icon !== model.icon) this.#tray.setImage(icon(model.icon))
    if (shown?.tooltip !== model.tooltip) this.#tray.setToolTip(model.tooltip)
    // On Linux a menu can't be changed, only replaced (Electron: Tray, platform considerations).
    if (JSON.stringify(shown?.menu) !== JSON.stringify(model.menu)) {
      this.#tray.setContextMenu(Menu.buildFromTemplate(model.menu.map((entry) => this.#item(entry))))
    }
  }

  stop(): void {
    this.#tray?.destroy()
    this.#tray = undefined
    this.#shown = undefined
  }

  #item(entry: TrayEntry): MenuItemConstructorOptions {
    switch (entry.type) {
      case 'line':
        return { label: entry.label, enabled: false }
      case 'separator':
        return { type: 'separator' }
      case 'action':
        return { label: entry.label, click: this.#options.actions[entry.action] }
    }
  }
}
