/** Functions that tests run in the app's main process through Playwright. */
import type { ElectronApplication } from 'playwright-core'

/** The number of windows that a user can see. */
export const visibleWindows = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((each) => each.isVisible()).length)
