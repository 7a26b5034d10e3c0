import { autoUpdater, type BrowserWindow, screen, type WebContents } from 'electron'
import type { NavigationRequest } from '../../contract/views.ts'
import { type KeyValueStore, type Remembered, remembered } from '../key-value-store.ts'
import { Listeners } from '../listeners.ts'
import type { Clock } from '../session/ports.ts'
import { hardenWebContents } from './hardening.ts'
import { type PageWindowPorts, PageWindows, SIZES, surroundings } from './page-windows.ts'
import type { Rectangle, Size } from './window-place.ts'
import { factorAfter, type Zoom, type ZoomedWindow, zoomedBounds, zoomedWindow } from './zoom.ts'

export interface MainWindowPorts extends PageWindowPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Stores the window's place and its zoom factor. */
  readonly store: KeyValueStore
  /** Requests to open a screen. They are dropped when the window closes. */
  readonly navigation: { request(screen: NavigationRequest['screen']): void; clear(): void }
  /** The diagnostics in the window. They are dropped when the window closes. */
  readonly diagnostics: { clear(): void }
  /**
   * Called when the window opens, because the desktop may have changed something that the window shows, such as the
   * login item.
   */
  readonly changed: () => void
}

/** A window whose page paints nothing is shown after this time anyway, so that the user notices the problem. */
const SHOW_AT_LATEST_MS = 3_000

/** How long the hidden standby window is kept after the user has closed the window. */
const STANDBY_MS = 5 * 60_000

/**
 * The app's one window. Closing it destroys it with its renderer process and everything typed, and creates a hidden
 * standby window, which can open immediately. After five minutes the standby window is destroyed too: an app in the
 * tray needs no renderer.
 */
export class MainWindow {
  readonly #ports: MainWindowPorts
  readonly #windows: PageWindows
  readonly #place: Remembered<Rectangle>
  readonly #zoomFactor: Remembered<number>
  readonly #openChanges = new Listeners<boolean>()
  #window: BrowserWindow | undefined
  /** True if the user has opened the window. If not, `#window` is the hidden standby window. */
  #isOpen = false
  /** Resolves when the page of `#window` is painted, or after `SHOW_AT_LATEST_MS`. */
  #painted: Promise<void> = Promise.resolve()
  #shown: Promise<void> = Promise.resolve()
  #cancelStandby = (): void => {}
  /** The displays and the theme for which the standby window was created. */
  #surroundings: string | undefined
  #isStopped = false
  #zoomed: ZoomedWindow | undefined

  constructor(ports: MainWindowPorts) {
    this.#ports = ports
    this.#windows = new PageWindows(ports)
    this.#place = remembered(ports.store, 'window')
    this.#zoomFactor = remembered(ports.store, 'zoom')
  }

  /** Creates no visible window yet: `show()` does. */
  start(): void {
    // SECURITY: this must happen before any window exists.
    hardenWebContents()
    // macOS closes the windows for an update before it asks the app to quit (Electron: autoUpdater).
    autoUpdater.once('before-quit-for-update', this.stop)
  }

  /** The app is about to quit: from now on, closing the window creates no standby window. */
  readonly stop = (): void => {
    this.#isStopped = true
    this.#cancelStandby()
  }

  /** The page of the open or standby window. */
  get contents(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** True if the user is looking at the window, or is about to. */
  get isInFront(): boolean {
    const window = this.#window
    if (window === undefined || !this.#isOpen || window.isMinimized()) return false
    return !window.isVisible() || window.isFocused()
  }

  /** Calls the listener whenever the window has opened or closed. Returns a function that removes the listener. */
  readonly onOpenChange = this.#openChanges.subscribe

  /**
   * Brings the window to the front, and creates it first if there is none. With a screen, the page opens that screen.
   */
  show(screen?: NavigationRequest['screen']): void {
    if (screen !== undefined) this.#ports.navigation.request(screen)
    const wasOpen = this.#isOpen
    // A standby window created for other displays or another theme may have the wrong position or background.
    if (!wasOpen && this.#window !== undefined && this.#surroundings !== surroundings()) this.#drop(this.#window)
    this.#isOpen = true
    this.#cancelStandby()
    this.#window ??= this.#create()
    this.#shown = this.#bringToFrontOncePainted(this.#window)
    if (wasOpen) return
    this.#tellListeners()
    this.#ports.changed()
  }

  /** Resolves when the window that is about to be shown is shown, or immediately if there is none. */
  shown(): Promise<void> {
    return this.#shown
  }

  /** Changes the zoom of the page, and the window's size with it. */
  zoom(zoom: Zoom): void {
    const window = this.#window
    if (window === undefined) return
    const { webContents } = window
    const before = webContents.getZoomFactor()
    const factor = factorAfter(before, zoom)
    webContents.setZoomFactor(factor)
    this.#zoomFactor.set(factor)
    this.#resize(window, before, factor)
  }

  #resize(window: BrowserWindow, before: number, factor: number): void {
    const bounds = window.getBounds()
    const known = zoomedWindow(this.#zoomed, { bounds, content: contentSize(window), factor: before }, SIZES.standard)
    const { workArea } = screen.getDisplayMatching(bounds)
    const { x, y, width, height } = zoomedBounds(known, factor, bounds, workArea)
    window.setBounds({ x, y, width, height })
    const size = { width: width - known.frame.width, height: height - known.frame.height }
    this.#zoomed = { ...known, sizes: [...known.sizes, size] }
    this.#place.set({ x, y, ...size })
  }

  #create(): BrowserWindow {
    const window = this.#windows.create({
      place: this.#place.get(),
      zoomFactor: this.#zoomFactor.get(),
      onZoom: (zoom) => this.zoom(zoom),
      onBroken: (broken) => this.#drop(broken),
    })
    this.#painted = this.#paintedOrLate(window)
    if (this.#zoomed !== undefined) this.#zoomed = { ...this.#zoomed, frame: undefined }
    window.on('close', () => {
      if (this.#isOpen && !window.isMinimized()) this.#place.set(placeOf(window))
    })
    window.on('closed', () => {
      if (this.#window !== window) return
      const wasOpen = this.#isOpen
      this.#dropWindow()
      // Deferred, because a window that is created during this event would keep `app.exit` from ending the app.
      if (wasOpen) setImmediate(() => this.#standBy())
    })
    return window
  }

  /** `#painted` for a new window. Electron reports a hidden window too (BrowserWindow, ready-to-show). */
  #paintedOrLate(window: BrowserWindow): Promise<void> {
    const { clock } = this.#ports
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + SHOW_AT_LATEST_MS, resolve)
      window.once('ready-to-show', () => {
        cancel()
        resolve()
      })
    })
  }

  /** Destroys a broken window, or a standby window that is outdated or no longer needed. Creates no standby window. */
  #drop(window: BrowserWindow): void {
    if (this.#window === window) this.#dropWindow()
    if (!window.isDestroyed()) window.destroy()
  }

  #dropWindow(): void {
    this.#window = undefined
    this.#cancelStandby()
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#ports.navigation.clear()
    this.#ports.diagnostics.clear()
    this.#tellListeners()
  }

  #tellListeners(): void {
    this.#openChanges.tell(this.#isOpen)
  }

  /** Until its page is painted, the window stays hidden, so that the user doesn't see it fill. */
  async #bringToFrontOncePainted(window: BrowserWindow): Promise<void> {
    await this.#painted
    if (this.#window !== window || !this.#isOpen) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  #standBy(): void {
    if (this.#window !== undefined || this.#isStopped) return
    const { clock } = this.#ports
    const window = this.#create()
    this.#window = window
    this.#surroundings = surroundings()
    this.#cancelStandby = clock.at(clock.now() + STANDBY_MS, () => this.#drop(window))
  }
}

/** The position includes the frame and the size does not, as the options of a new window require. */
function placeOf(window: BrowserWindow): Rectangle {
  const [x = 0, y = 0] = window.getPosition()
  return { x, y, ...contentSize(window) }
}

function contentSize(window: BrowserWindow): Size {
  const [width = 0, height = 0] = window.getContentSize()
  return { width, height }
}
