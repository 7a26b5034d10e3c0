/** A person who answers the dialog that asks the user to confirm the address that credentials will be sent to. */
import type { ElectronApplication } from 'playwright-core'

/** A dialog's text. */
export interface Shown {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
  /** True if the dialog is attached to the window. */
  readonly hasParent: boolean
}

/** The person's reading time. Latchkey accepts no answer in the first second. */
const READING_MS = 1_100

/**
 * From now on, answers every message box of the app with its first button (`cancel`) or its second (`confirm`). The
 * system shows none of them; `test/security/native-dialog.test.ts` tests the system's own dialog. The returned
 * function resolves to the texts of the message boxes.
 */
export async function answerDialogs(
  { app }: { readonly app: ElectronApplication },
  answer: 'confirm' | 'cancel',
): Promise<() => Promise<readonly Shown[]>> {
  const shown = await app.evaluateHandle(
    ({ BrowserWindow, dialog }, { response, reading }) => {
      const dialogs: Shown[] = []
      const show: unknown = async (parent: unknown, options: Shown) => {
        const { message, detail, buttons, defaultId, cancelId } = options
        dialogs.push({ message, detail, buttons, defaultId, cancelId, hasParent: parent instanceof BrowserWindow })
        await new Promise((resolve) => setTimeout(resolve, reading))
        return { response, checkboxChecked: false }
      }
      dialog.showMessageBox = show as typeof dialog.showMessageBox
      return dialogs
    },
    { response: answer === 'confirm' ? 1 : 0, reading: READING_MS },
  )
  return () => shown.jsonValue()
}
