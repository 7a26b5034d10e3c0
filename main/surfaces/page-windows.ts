import {
  BrowserWindow,
  session as electronSession,
  Menu,
  nativeImage,
  nativeTheme,
  type Rectangle,
  type Session,
  screen,
} from 'electron'
import type { Texts } from '../../text/index.ts'
import type { Report } from '../log/log.ts'
import { startPage } from './app-protocol.ts'
import { hardenSession } from './hardening.ts'
import windowIcon from './icons/window.png?inline'
import { fieldMenu } from './menus.ts'
import { boundsFor } from './window-bounds.ts'
import { factorFrom, type Zoom, zoomOf } from './zoom.ts'

export interface PageWindowPorts {
  readonly servePage: (session: Session) => void
  readonly preload: string
  readonly devTools: boolean
  readonly texts: Pick<Texts, 'desktop'>
  readonly locale: string
  readonly timeLocale: string
  readonly report: Report
}

interface NewWindow {
  readonly savedBounds: unknown
  readonly zoomFactor: unknown
  readonly onZoom: (zoom: Zoom) => void
  /** The page failed to load, keeps crashing or was replaced. The callback may destroy the window. */
  readonly onBroken: (window: BrowserWindow) => void
}

/** The colour of the window until the page is painted, so that nothing flashes. */
const BACKGROUND = { light: '#f6f5f2', dark: '#12161c' } as const

const SIZES = { standard: { width: 420, height: 560 }, least: { width: 340, height: 420 } } as const

/** If the page crashes again within this time, its window is closed. */
const CRASH_LOOP_MS = 10_000

export class PageWindows {
  readonly #ports: PageWindowPorts
  #session: Session | undefined

  constructor(ports: PageWindowPorts) {
    this.#ports = ports
  }

  create({ savedBounds, zoomFactor, onZoom, onBroken }: NewWindow): BrowserWindow {
    const { preload, devTools } = this.#ports
    const window = new BrowserWindow({
      title: 'Latchkey',
      ...boundsFor(savedBounds, workAreas(), SIZES),
      minWidth: SIZES.least.width,
      minHeight: SIZES.least.height,
      useContentSize: true,
      show: false,
      autoHideMenuBar: true,
      // On Windows and macOS, the window has the program's own icon.
      ...(process.platform === 'linux' && { icon: nativeImage.createFromDataURL(windowIcon) }),
      maximizable: false,
      fullscreenable: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
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
        // SECURITY: the page's alert or confirm can't imitate our dialogs.
        disableDialogs: true,
        // SECURITY: typed text is not sent to a spell checker.
        spellcheck: false,
        zoomFactor: factorFrom(zoomFactor),
        devTools,
        session: this.#openSession(),
        preload,
      },
    })
    // SECURITY: a page can't give its window the title of another program or a dialog.
    window.on('page-title-updated', (event) => event.preventDefault())
    this.#listenToInput(window, onZoom)
    this.#keepPage(window, () => onBroken(window))
    return window
  }

  #listenToInput(window: BrowserWindow, onZoom: (zoom: Zoom) => void): void {
    window.webContents.on('before-input-event', (event, input) => {
      const zoom = zoomOf(input, process.platform)
      if (zoom === undefined) return
      onZoom(zoom)
      event.preventDefault()
    })
    window.webContents.on('context-menu', (_, pointed) => {
      const items = fieldMenu(this.#ports.texts.desktop, pointed)
      if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
    })
  }

  #keepPage(window: BrowserWindow, onBroken: () => void): void {
    const { locale, timeLocale, report } = this.#ports
    const address = startPage(locale, process.platform, timeLocale)
    const load = () =>
      window.loadURL(address).catch((error: Error) =>
        // It isn't a failure if the window was closed while the page was loading.
        setImmediate(() => {
          if (window.isDestroyed()) return
          report('window', error)
          onBroken()
        }),
      )
    let crashedAt = Number.NEGATIVE_INFINITY
    window.webContents.on('preload-error', (_, _file, error) => report('preload-error', error))
    window.webContents.on('render-process-gone', (_, { reason }) => {
      if (reason === 'clean-exit') return
      report('render-process-gone', reason)
      const looping = performance.now() - crashedAt < CRASH_LOOP_MS
      crashedAt = performance.now()
      setImmediate(() => {
        if (looping) onBroken()
        else if (!window.isDestroyed()) void load()
      })
    })
    // SECURITY: about:blank bypasses will-navigate. A window that shows another page is destroyed.
    window.webContents.on('did-navigate', (_, shown) => {
      if (shown !== address) setImmediate(onBroken)
    })
    void load()
  }

  /** The session of the page. It is created with the first window, so that it doesn't delay the tray icon. */
  #openSession(): Session {
    if (this.#session === undefined) {
      // SECURITY: the session is in memory, so that the window leaves nothing on disk.
      this.#session = electronSession.fromPartition('latchkey')
      hardenSession(this.#session)
      this.#ports.servePage(this.#session)
    }
    return this.#session
  }
}

function workAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}
