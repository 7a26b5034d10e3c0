/** Answers the question that the app asks before it sends credentials to a new address. */
import type { ElectronApplication } from 'playwright-core'

/** Latchkey accepts no answer in the first second. */
const READING_MS = 1_100

/**
 * From now on, answers each message box with its second button, which confirms, without showing it. The system's real
 * message boxes are tested in `test/security/native-dialog.test.ts`. The window must be open, because V8 may collect the
 * result of `evaluate` while the app loads.
 */
export const confirmDialogs = ({ app }: { readonly app: ElectronApplication }): Promise<void> =>
  app.evaluate(({ dialog }, reading) => {
    const confirm: unknown = async () => {
      await new Promise((resolve) => setTimeout(resolve, reading))
      return { response: 1, checkboxChecked: false }
    }
    dialog.showMessageBox = confirm as typeof dialog.showMessageBox
  }, READING_MS)
