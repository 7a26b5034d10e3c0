import { app, BaseWindow, powerMonitor, type Tray } from 'electron'
import { asksForWindow } from '../base/launch-command.ts'

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

  /** Listens for clicks on the tray icon, except on macOS, where a click only opens the menu. */
  listen(tray: Tray, platform: NodeJS.Platform): void {
    if (platform === 'darwin') return
    this.#tray = tray
    tray.on('click', this.#want)
  }

  /** Call this when the app's own listeners exist. Returns true if the user asked for the window. */
  end(): boolean {
    app.off('second-instance', this.#hear)
    app.off('activate', this.#want)
    this.#tray?.off('click', this.#want)
    return this.#wantsWindow
  }
}

/** On Windows, Node emits `SIGINT` and `SIGHUP` (Node: process, signal events). */
const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/**
 * Call this when Electron is ready: Chromium's handlers, installed by then, only catch the first signal. The listeners
 * stay, because electron-store's package `when-exit` sends each signal to the process again.
 */
export function quitOnSignals(process: Pick<NodeJS.EventEmitter, 'on'>, { quit }: Pick<Electron.App, 'quit'>): void {
  for (const signal of ENDING_SIGNALS) process.on(signal, () => quit())
}

/** On Linux, ends the process at once. Chromium would first wait for calls to a bus that may never answer. */
export function exitAtQuit(process: object): void {
  app.on('quit', (_, code) => {
    // Electron has replaced `process.exit`. The original one calls `reallyExit` at its end.
    if ('reallyExit' in process && typeof process.reallyExit === 'function') process.reallyExit(code)
  })
}

interface Lifecycle {
  show(): void
  stop(): Promise<void>
  /** True if a pending native call would keep the process from ending. */
  isStuck(): boolean
}

/** Keeps the app running without a window, shows the window at a second start, and finishes pending work at quit. */
export function registerLifecycle({ show, stop, isStuck }: Lifecycle, platform: NodeJS.Platform): void {
  app.on('second-instance', (_, argv) => {
    if (asksForWindow(argv)) show()
  })
  app.on('activate', show)
  // If nothing listened, Electron would quit when the last window is closed (Electron: app, window-all-closed).
  app.on('window-all-closed', () => {})

  // `preventDefault` delays a logout or shutdown until the app has ended. Electron's types lack the argument.
  powerMonitor.on('shutdown', (...[event]: { preventDefault(): void }[]) => {
    event?.preventDefault()
    app.quit()
  })
  if (platform === 'win32') quitAtSessionEnd()

  // A second request to quit must not cut pending work short.
  const delay = (event: Electron.Event) => event.preventDefault()
  app.on('before-quit', delay)
  app.once('before-quit', () => {
    void stop().finally(() => {
      app.off('before-quit', delay)
      // The call is deferred, because Electron would take a call of `app.quit` during this event for a refusal to quit.
      setImmediate(() => app.quit())
    })
  })
  // While an unlock prompt is open, a thread waits for the keychain. A normal exit would wait for this thread.
  app.on('quit', () => {
    if (isStuck()) process.kill(process.pid, 'SIGKILL')
  })
}

/**
 * Windows reports the end of the user's session only to windows, so this creates a hidden one. The app mustn't refuse
 * to quit: Windows would end it (Microsoft: Shutdown Changes for Windows Vista).
 */
function quitAtSessionEnd(): void {
  const window = new BaseWindow({ show: false, skipTaskbar: true })
  window.on('query-session-end', () => app.quit())
  window.on('session-end', () => app.quit())
  // This listener refers to the window, so that the window isn't collected as garbage.
  app.on('will-quit', () => window.destroy())
}

/** On macOS, the app appears in the Dock only while its window is open. */
export function syncDock(): void {
  const { dock } = app
  if (dock === undefined) return
  dock.hide()
  app.on('browser-window-created', (_, window) => {
    window.on('show', () => void dock.show().then(() => app.focus({ steal: true })))
    window.on('closed', () => dock.hide())
  })
}
