import type { BrowserWindow, Rectangle, WebContents } from 'electron'
import type { NavigationRequest } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { type KeyValueStore, type Remembered, remembered } from '../base/key-value-store.ts'
import { Listeners } from '../base/listeners.ts'
import { hardenWebContents } from './hardening.ts'
import { type PageWindowPorts, PageWindows } from './page-windows.ts'
import { factorAfter, type Zoom } from './zoom.ts'

export interface MainWindowPorts extends PageWindowPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly store: KeyValueStore
  /** Takes requests to open a screen. The window drops its requests when it closes. */
  readonly navigation: { request(screen: NavigationRequest['screen']): void; clear(): void }
  readonly diagnostics: { clear(): void }
  /** Called when the window opens, because a value from the desktop may have changed, such as the login item. */
  readonly changed: () => void
}

/** If the page paints nothing, the window is shown after this time anyway, so that the user notices the problem. */
const SHOW_AT_LATEST_MS = 3_000

/** The app's only window. Closing it also ends its renderer process, because an app in the tray needs none. */
export class MainWindow {
  readonly #ports: MainWindowPorts
  readonly #windows: PageWindows
  readonly #bounds: Remembered<Rectangle>
  readonly #zoomFactor: Remembered<number>
  readonly #openChanges = new Listeners<boolean>()
  #window: BrowserWindow | undefined
  /** Resolves when the window is in front. It is already resolved if there is no window. */
  #shown: Promise<void> = Promise.resolve()

  constructor(ports: MainWindowPorts) {
    this.#ports = ports
    this.#windows = new PageWindows(ports)
    this.#bounds = remembered(ports.store, 'window')
    this.#zoomFactor = remembered(ports.store, 'zoom')
  }

  start(): void {
    // SECURITY: this must happen before any window exists.
    hardenWebContents()
  }

  get contents(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** True if the user is looking at the window, or is about to. */
  get isInFront(): boolean {
    const window = this.#window
    if (window === undefined || window.isMinimized()) return false
    return !window.isVisible() || window.isFocused()
  }

  readonly onOpenChange = this.#openChanges.subscribe

  show(screen?: NavigationRequest['screen']): void {
    if (screen !== undefined) this.#ports.navigation.request(screen)
    if (this.#window !== undefined) {
      const window = this.#window
      this.#shown = this.#shown.then(() => this.#bringToFront(window))
      return
    }
    const window = this.#create()
    this.#window = window
    // The window stays hidden until its page is painted, so that the user doesn't see it fill.
    this.#shown = this.#painted(window).then(() => this.#bringToFront(window))
    this.#openChanges.tell(true)
    this.#ports.changed()
  }

  /** Resolves when a window that is being opened is on screen. If none is being opened, resolves at once. */
  shown(): Promise<void> {
    return this.#shown
  }

  zoom(zoom: Zoom): void {
    if (this.#window === undefined) return
    const { webContents } = this.#window
    const factor = factorAfter(webContents.getZoomFactor(), zoom)
    webContents.setZoomFactor(factor)
    this.#zoomFactor.set(factor)
  }

  #create(): BrowserWindow {
    const window = this.#windows.create({
      savedBounds: this.#bounds.get(),
      zoomFactor: this.#zoomFactor.get(),
      onZoom: (zoom) => this.zoom(zoom),
      onBroken: (broken) => broken.isDestroyed() || broken.destroy(),
    })
    window.on('close', () => {
      if (!window.isMinimized()) this.#bounds.set(boundsOf(window))
    })
    window.on('closed', () => {
      this.#window = undefined
      this.#ports.navigation.clear()
      this.#ports.diagnostics.clear()
      this.#openChanges.tell(false)
    })
    return window
  }

  /** Resolves when the page is painted or time is up. Electron emits `ready-to-show` for a hidden window, too. */
  #painted(window: BrowserWindow): Promise<void> {
    const { clock } = this.#ports
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + SHOW_AT_LATEST_MS, resolve)
      window.once('ready-to-show', () => {
        cancel()
        resolve()
      })
    })
  }

  #bringToFront(window: BrowserWindow): void {
    if (this.#window !== window) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
}

/** The window's bounds in the form that a new window requires: the position includes the frame, and the size doesn't. */
function boundsOf(window: BrowserWindow): Rectangle {
  const [x = 0, y = 0] = window.getPosition()
  const [width = 0, height = 0] = window.getContentSize()
  return { x, y, width, height }
}
