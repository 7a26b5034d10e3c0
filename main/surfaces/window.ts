import {
  autoUpdater,
  BrowserWindow,
  session as electronSession,
  Menu,
  nativeImage,
  nativeTheme,
  type Session,
  screen,
  type WebContents,
} from 'electron'
import type { Opening } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { type KeyValueStore, type Remembered, remembered } from '../key-value-store.ts'
import type { Report } from '../log/report.ts'
import type { Clock } from '../session/ports.ts'
import { serveRenderer, startPage } from './app-protocol.ts'
import { hardenSession, hardenWebContents } from './hardening.ts'
import windowIcon from './icons/window.png?inline'
import { fieldMenu } from './menus.ts'
import type { Surface } from './surface.ts'
import { placeFor, type Rectangle } from './window-place.ts'
import { factorAfter, factorFrom, type Zoom, zoomOf } from './zoom.ts'

export interface MainWindowPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** The folder of the built page. */
  readonly rendererFolder: string
  /** The self-contained preload script's path. */
  readonly preload: string
  readonly devTools: boolean
  readonly texts: Pick<Texts, 'shell'>
  /** The person's, for the page (BCP 47). */
  readonly locale: string
  /** Remembers the window's place and its zoom factor. */
  readonly store: KeyValueStore
  /** The screens that the page is asked to open, forgotten with the window. */
  readonly navigation: { request(screen: Opening['screen']): void; forget(): void }
  /** What the page shows of the diagnostics, forgotten with the window. */
  readonly diagnostics: { forget(): void }
  /** Called when the window opens: the desktop may have changed what it shows, such as the entry for starting at login. */
  readonly changed: () => void
  readonly report: Report
}

/** The window's ground in either theme, so that nothing flashes before the page is painted. */
const GROUND = { light: '#f6f5f2', dark: '#12161c' } as const

const SIZES = { standard: { width: 420, height: 560 }, least: { width: 340, height: 420 } } as const

/** A page that crashes again this soon takes its window with it. */
const CRASH_LOOP_MS = 10_000

/** A window whose page paints nothing is shown after this time all the same, so that the user sees that something is wrong. */
const SHOW_AT_LATEST_MS = 3_000

/** How long a fresh window stands by after the user closed one. */
const STANDBY_MS = 5 * 60_000

/**
 * The one window. Closing it destroys it and its renderer process, with everything that was typed, and puts a fresh
 * hidden window in its place, which opens at once. That one is destroyed five minutes later: an app in the tray costs
 * no renderer.
 */
export class MainWindow implements Surface {
  readonly name = 'window'
  readonly #ports: MainWindowPorts
  readonly #place: Remembered<Rectangle>
  readonly #zoomFactor: Remembered<number>
  readonly #listeners = new Set<(isOpen: boolean) => void>()
  #session: Session | undefined
  #window: BrowserWindow | undefined
  /** Whether the user has opened `#window`. If not, it stands by, hidden. */
  #isOpen = false
  #cancelStandby: (() => void) | undefined
  /** What the window that stands by was made for. */
  #surroundings: string | undefined
  #isStopped = false

  constructor(ports: MainWindowPorts) {
    this.#ports = ports
    this.#place = remembered(ports.store, 'window')
    this.#zoomFactor = remembered(ports.store, 'zoom')
  }

  /** Shows nothing yet: `show()` does. */
  start(): void {
    // SECURITY: before there is a window.
    hardenWebContents()
    // macOS closes the windows for an update before it asks the app to quit (Electron: autoUpdater).
    autoUpdater.once('before-quit-for-update', this.stop)
  }

  /** The app is about to quit: a window that is closed from now on is not replaced. */
  readonly stop = (): void => {
    this.#isStopped = true
    this.#cancelStandby?.()
  }

  /** The page of the open window, or of the one that stands by. */
  get contents(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** Whether the user is looking at it, or will be at once. */
  get isInFront(): boolean {
    const window = this.#window
    if (window === undefined || !this.#isOpen || window.isMinimized()) return false
    return !window.isVisible() || window.isFocused()
  }

  /** Calls the listener whenever the window has opened or closed; returns the undo. */
  onOpenChange(listener: (isOpen: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Brings the window to the front, and creates it first if there is none. With a screen, the page opens that. */
  show(screen?: Opening['screen']): void {
    if (screen !== undefined) this.#ports.navigation.request(screen)
    const wasOpen = this.#isOpen
    // It may stand by for a display that is gone.
    if (!wasOpen && this.#window !== undefined && this.#surroundings !== surroundings()) this.#drop(this.#window)
    this.#isOpen = true
    this.#cancelStandby?.()
    if (this.#window === undefined) {
      this.#window = this.#create()
      this.#showOncePainted(this.#window)
    } else {
      if (this.#window.isMinimized()) this.#window.restore()
      this.#window.show()
      this.#window.focus()
    }
    if (wasOpen) return
    this.#tellListeners()
    this.#ports.changed()
  }

  /** Makes all that it shows larger or smaller, from now on. */
  zoom(zoom: Zoom): void {
    const { contents } = this
    if (contents === undefined) return
    const factor = factorAfter(contents.getZoomFactor(), zoom)
    contents.setZoomFactor(factor)
    this.#zoomFactor.set(factor)
  }

  #create(): BrowserWindow {
    const { preload, devTools, texts, locale, report } = this.#ports
    const address = startPage(locale)
    const window = new BrowserWindow({
      title: 'Latchkey',
      ...placeFor(this.#place.get(), workAreas(), SIZES),
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
        // SECURITY: no alert or confirm of the page can look like a dialog of ours.
        disableDialogs: true,
        // SECURITY: what is typed goes to no spell checker.
        spellcheck: false,
        zoomFactor: factorFrom(this.#zoomFactor.get()),
        devTools,
        session: this.#openSession(),
        preload,
      },
    })
    /** A window without its page is gone, so that `show()` makes a whole one. Not within an event of its own. */
    const drop = () => setImmediate(() => this.#drop(window))
    const load = () =>
      window.loadURL(address).catch((error: Error) =>
        // One that is closed while it loads is destroyed in a moment, and nothing is wrong with it.
        setImmediate(() => {
          if (window.isDestroyed()) return
          report('window', error)
          this.#drop(window)
        }),
      )
    let crashedAt = Number.NEGATIVE_INFINITY
    window.webContents.on('preload-error', (_, _file, error) => report('preload-error', error))
    window.webContents.on('render-process-gone', (_, { reason }) => {
      if (reason === 'clean-exit') return
      report('render-process-gone', reason)
      const looping = performance.now() - crashedAt < CRASH_LOOP_MS
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
      if (zoom === undefined) return
      this.zoom(zoom)
      event.preventDefault()
    })
    window.webContents.on('context-menu', (_, pointed) => {
      const items = fieldMenu(texts.shell, pointed)
      if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
    })
    // SECURITY: a page can't give its window the name of another program or of a dialog.
    window.on('page-title-updated', (event) => event.preventDefault())
    window.on('close', () => {
      if (this.#isOpen && !window.isMinimized()) this.#place.set(placeOf(window))
    })
    window.on('closed', () => {
      if (this.#window !== window) return
      const wasOpen = this.#isOpen
      this.#forget()
      // Not within this event: a window made there would keep `app.exit` from ending the app.
      if (wasOpen) setImmediate(() => this.#standBy())
    })
    void load()
    return window
  }

  /** Made with the first window: the icon doesn't wait for it. */
  #openSession(): Session {
    if (this.#session === undefined) {
      // SECURITY: in memory, so that the window leaves nothing on the disk.
      this.#session = electronSession.fromPartition('latchkey')
      hardenSession(this.#session)
      serveRenderer(this.#session, this.#ports.rendererFolder)
    }
    return this.#session
  }

  /** Destroys a window whose page can't be relied on. None stands by in its place: it would only do the same again. */
  #drop(window: BrowserWindow): void {
    if (this.#window === window) this.#forget()
    if (!window.isDestroyed()) window.destroy()
  }

  #forget(): void {
    this.#window = undefined
    this.#cancelStandby?.()
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#ports.navigation.forget()
    this.#ports.diagnostics.forget()
    this.#tellListeners()
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener(this.#isOpen)
  }

  /** Not before its page is painted (Electron: BrowserWindow, ready-to-show), so that nobody sees it fill. */
  #showOncePainted(window: BrowserWindow): void {
    const { clock } = this.#ports
    const show = () => {
      cancel()
      if (!window.isDestroyed()) window.show()
    }
    const cancel = clock.at(clock.now() + SHOW_AT_LATEST_MS, show)
    window.once('ready-to-show', show)
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

/** Position with, size without the frame: that is how a window is made. */
function placeOf(window: BrowserWindow): Rectangle {
  const [x = 0, y = 0] = window.getPosition()
  const [width = 0, height = 0] = window.getContentSize()
  return { x, y, width, height }
}

/** What the place and the ground of a new window depend on: the displays and the theme. */
const surroundings = (): string => JSON.stringify([workAreas(), nativeTheme.shouldUseDarkColors])

function workAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}
