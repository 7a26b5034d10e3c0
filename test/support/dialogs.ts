/** Answers the question that the app asks before it sends credentials to a new address. */
import type { ElectronApplication } from 'playwright-core'

/** Latchkey accepts no answer in the first second. */
const READING_MS = 1_100

/** Confirms each message box. The window must be open, or V8 may collect the result of `evaluate` as the app loads. */
export const confirmDialogs = ({ app }: { readonly app: ElectronApplication }): Promise<void> =>
  app.evaluate(({ dialog }, reading) => {
    const confirm: unknown = async () => {
      await new Promise((resolve) => setTimeout(resolve, reading))
      return { response: 1, checkboxChecked: false }
    }
    dialog.showMessageBox = confirm as typeof dialog.showMessageBox
  }, READING_MS)
