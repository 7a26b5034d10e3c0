import { app, powerMonitor } from 'electron'
import { asksForWindow } from '../launch-command.ts'

interface LifecycleOptions {
  readonly show: () => void
  /** Ends what is under way without losing it. */
  readonly stop: () => Promise<void>
  /** How long `stop` may take: milliseconds. */
  readonly patience: number
  /** Ends at once what has not ended by then. */
  readonly end: () => void
  /** A native call is pending that would keep the process from ending. */
  readonly isStuck: () => boolean
}

/**
 * The life of a tray app: closing the window doesn't quit, a second start shows the first's window, and quitting
 * first lets what is under way come to its end.
 */
export function liveInTheBackground({ show, stop, patience, end, isStuck }: LifecycleOptions): void {
  app.on('second-instance', (_, argv) => {
    if (asksForWindow(argv)) show()
  })
  app.on('activate', show)
  // Without a listener Electron quits when the last window is closed (Electron: app, window-all-closed).
  app.on('window-all-closed', () => {})

  // The end of the user's session is a quitting like any other: Linux and macOS tell the app, Windows its window.
  // Electron's types leave the event out, which holds the system back until the app has ended.
  powerMonitor.on('shutdown', (...[event]: { preventDefault(): void }[]) => {
    event?.preventDefault()
    app.quit()
  })
  app.on('browser-window-created', (_, window) => {
    window.on('session-end', () => app.quit())
  })

  let isStopping = false
  let isStopped = false
  app.on('before-quit', (event) => {
    if (isStopped) return
    event.preventDefault()
    // Who asks twice waits as well: what is under way would be lost.
    if (isStopping) return
    isStopping = true
    void Promise.race([stop(), new Promise<void>((resolve) => setTimeout(resolve, patience))]).finally(() => {
      isStopped = true
      // Not within this event: after a signal, or Cmd+Q, Electron would take the quitting for refused.
      setImmediate(() => app.quit())
    })
  })
  app.on('quit', () => {
    end()
    // Node waits for a thread that waits for the keychain, for as long as its unlock prompt stands open.
    if (isStuck()) process.kill(process.pid, 'SIGKILL')
  })
}

/** macOS: an app of the menu bar is in the Dock while its window is shown. */
export function followWindowInDock(): void {
  const { dock } = app
  if (dock === undefined) return
  dock.hide()
  app.on('browser-window-created', (_, window) => {
    window.on('show', () => void dock.show().then(() => app.focus({ steal: true })))
    window.on('closed', () => dock.hide())
  })
}
