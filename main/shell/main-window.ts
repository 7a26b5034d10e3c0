import {
  BrowserWindow,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
  nativeImage,
  nativeTheme,
  type Session,
  screen,
} from 'electron'
import type { Report } from '../log/report.ts'
import { HeldKeys } from './held-keys.ts'
import windowIcon from './icons/window.png?inline'
import type { Remembered } from './remembered.ts'
import { placeFor, type Rectangle } from './window-place.ts'
import { factorAfter, factorFrom, type Zoom, zoomOf } from './zoom.ts'

interface MainWindowOptions {
  /** The self-contained preload script's path. */
  readonly preload: string
  readonly address: string
  readonly session: () => Session
  readonly devTools: boolean
  /** Where the window was when it was closed. */
  readonly place: Remembered<Rectangle>
  /** The factor by which all that it shows is larger than usual. */
  readonly zoom: Remembered<number>
  /** What is offered on pointing at something, where anything is. */
  readonly contextMenu: (pointed: ContextMenuParams) => MenuItemConstructorOptions[]
  readonly onOpened: () => void
  /** Its page is there to be seen (Electron: BrowserWindow, ready-to-show). */
  readonly onReady: () => void
  readonly onClosed: () => void
  /** Told what went wrong in the window, in a line. */
  readonly report: Report
}

/** The window's ground in either theme, so that nothing flashes before the page is painted. */
const GROUND = { light: '#f6f5f2', dark: '#12161c' } as const

const SIZES = { standard: { width: 420, height: 560 }, least: { width: 340, height: 420 } } as const

/** A page that dies again within this time takes its window along: milliseconds. */
const CRASH_LOOP = 10_000

/** The one window. Closing it destroys it, so that a hidden app costs no renderer; `show()` makes another. */
export class MainWindow {
  readonly #options: MainWindowOptions
  readonly #keys = new HeldKeys(process.platform)
  #window: BrowserWindow | undefined

  constructor(options: MainWindowOptions) {
    this.#options = options
  }

  /** The open window, if there is one. */
  get current(): BrowserWindow | undefined {
    return this.#window
  }

  /** Whether the user is looking at it, or will be at once. */
  get isInFront(): boolean {
    if (this.#window === undefined || this.#window.isMinimized()) return false
    return !this.#window.isVisible() || this.#window.isFocused()
  }

  /** Brings the window to the front, making it first where there is none. */
  show(): void {
    if (this.#window === undefined) {
      this.#window = this.#create()
      this.#options.onOpened()
      return
    }
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  /** Its page answers from now on, and gets what was typed until then. */
  answers(): void {
    for (const typed of this.#keys.release()) this.#window?.webContents.sendInputEvent(typed)
  }

  /** Makes all that it shows larger or smaller, from now on. */
  zoom(zoom: Zoom): void {
    const contents = this.#window?.webContents
    if (contents === undefined) return
    const factor = factorAfter(contents.getZoomFactor(), zoom)
    contents.setZoomFactor(factor)
    this.#options.zoom.set(factor)
  }

  #create(): BrowserWindow {
    const { preload, address, session, devTools, report } = this.#options
    const window = new BrowserWindow({
      title: 'Latchkey',
      ...placeFor(this.#options.place.get(), workAreas(), SIZES),
      minWidth: SIZES.least.width,
      minHeight: SIZES.least.height,
      useContentSize: true,
      show: false,
      autoHideMenuBar: true,
      // Elsewhere the system takes it from the program.
      ...(process.platform === 'linux' && { icon: nativeImage.createFromDataURL(windowIcon) }),
      maximizable: false,
      fullscreenable: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: {
        // SECURITY: the page is untrusted (Electron's security guide, 2 to 6).
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        // SECURITY: what is typed goes to no spell checker.
        spellcheck: false,
        zoomFactor: factorFrom(this.#options.zoom.get()),
        devTools,
        session: session(),
        preload,
      },
    })
    /** A window without its page is gone, so that `show()` makes a whole one. Not within an event of its own. */
    const drop = () => setImmediate(() => window.isDestroyed() || window.destroy())
    const load = () => {
      this.#keys.hold()
      return window.loadURL(address).catch((error: Error) =>
        // One that is closed while it loads is destroyed in a moment, and nothing is wrong with it.
        setImmediate(() => {
          if (window.isDestroyed()) return
          report('window', error)
          window.destroy()
        }),
      )
    }
    let crashedAt = Number.NEGATIVE_INFINITY
    window.webContents.on('preload-error', (_, _file, error) => report('preload-error', error))
    window.webContents.on('render-process-gone', (_, { reason }) => {
      if (reason === 'clean-exit') return
      report('render-process-gone', reason)
      const looping = performance.now() - crashedAt < CRASH_LOOP
      crashedAt = performance.now()
      if (looping) drop()
      else setImmediate(() => window.isDestroyed() || load())
    })
    // SECURITY: about:blank asks nobody (it passes will-navigate by); a window that shows another page is gone.
    window.webContents.on('did-navigate', (_, shown) => {
      if (shown !== address) drop()
    })
    window.webContents.on('before-input-event', (event, input) => {
      const zoom = zoomOf(input, process.platform)
      if (zoom !== undefined) this.zoom(zoom)
      if (zoom !== undefined || this.#keys.take(input)) event.preventDefault()
    })
    window.webContents.on('input-event', (_, { type }) => {
      if (type === 'mouseDown') this.#keys.forget()
    })
    window.webContents.on('context-menu', (_, pointed) => {
      const items = this.#options.contextMenu(pointed)
      if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
    })
    // On the page's ground as soon as there is a page, which is painted while the system makes room for the window (Electron:
    // BrowserWindow, Setting the backgroundColor property).
    window.webContents.once('did-navigate', (_, shown) => {
      if (shown === address) window.show()
    })
    window.once('ready-to-show', () => this.#options.onReady())
    window.on('close', () => {
      if (!window.isMinimized()) this.#options.place.set(placeOf(window))
    })
    window.on('closed', () => {
      if (this.#window !== window) return
      this.#window = undefined
      // SECURITY: what waited may be a password.
      this.#keys.forget()
      this.#options.onClosed()
    })
    void load()
    return window
  }
}

/** Position with, size without the frame: that is how a window is made. */
function placeOf(window: BrowserWindow): Rectangle {
  const [x = 0, y = 0] = window.getPosition()
  const [width = 0, height = 0] = window.getContentSize()
  return { x, y, width, height }
}

function workAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}
