/** Functions that tests run in the app's main process through Playwright. */
import type { ElectronApplication } from 'playwright-core'

/** The number of windows that a user can see. */
export const visibleWindows = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((each) => each.isVisible()).length)

/** Moves the wall clock forward and wakes the app, as after a sleep of that length. */
export const letTimePass = (app: ElectronApplication, ms: number): Promise<void> =>
  app.evaluate(async ({ powerMonitor }, slept) => {
    const now = Date.now
    Date.now = () => now() + slept
    powerMonitor.emit('resume')
    // Gives the app time to handle waking, which takes several turns of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }, ms)
