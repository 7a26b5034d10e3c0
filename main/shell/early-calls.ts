import { app, type Tray } from 'electron'
import { asksForWindow } from '../launch-command.ts'

/** Whether somebody has asked for the window while the app was still being loaded. */
export class EarlyCalls {
  #wantsWindow = false
  readonly #want = (): void => {
    this.#wantsWindow = true
  }
  readonly #hear = (_: unknown, argv: readonly string[]): void => {
    if (asksForWindow(argv)) this.#want()
  }
  #tray: Tray | undefined

  constructor() {
    app.on('second-instance', this.#hear)
    app.on('activate', this.#want)
  }

  /** On macOS a click opens the menu, and nothing else: there is none yet. */
  listen(tray: Tray, platform: NodeJS.Platform): void {
    if (platform === 'darwin') return
    this.#tray = tray
    tray.on('click', this.#want)
  }

  /** From now on others listen. Whether the window is wanted. */
  end(): boolean {
    app.off('second-instance', this.#hear)
    app.off('activate', this.#want)
    this.#tray?.off('click', this.#want)
    return this.#wantsWindow
  }
}
