import { app } from 'electron'

interface LifecycleOptions {
  readonly show: () => void
  /** Ends what is under way without losing it. */
  readonly stop: () => Promise<void>
  /** How long `stop` may take: milliseconds. */
  readonly patience: number
  /** A native call is pending that would keep the process from ending. */
  readonly isStuck: () => boolean
}

/**
 * The life of a tray app: closing the window doesn't quit, a second start shows the first's window, and quitting
 * first lets what is under way come to its end.
 */
export function liveInTheBackground({ show, stop, patience, isStuck }: LifecycleOptions): void {
  app.on('second-instance', show)
  app.on('activate', show)
  // Without a listener Electron quits when the last window is closed (Electron: app, window-all-closed).
  app.on('window-all-closed', () => {})

  let stopped: Promise<void> | undefined
  app.on('before-quit', (event) => {
    if (stopped !== undefined) return
    event.preventDefault()
    stopped = Promise.race([stop(), new Promise<void>((resolve) => setTimeout(resolve, patience))])
    // Not within this event: after a signal, or Cmd+Q, Electron would take the quitting for refused.
    void stopped.finally(() => setImmediate(() => app.quit()))
  })
  app.on('quit', () => {
    // Node waits for a thread that waits for the keychain, for as long as its unlock prompt stands open.
    if (isStuck()) process.kill(process.pid, 'SIGKILL')
  })
}
