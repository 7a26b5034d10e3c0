/** Answers the question that the app asks before it sends credentials to a new address. */
import type { ElectronApplication } from 'playwright-core'

export interface Shown {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
  /** True if the dialog belongs to the window. */
  readonly hasParent: boolean
}

/** Latchkey accepts no answer in the first second. */
const READING_MS = 1_100

/**
 * From now on, answers each message box with its first button (`cancel`) or its second (`confirm`), without showing it.
 * The system's real message boxes are tested in `test/security/native-dialog.test.ts`. The returned function resolves
 * to the texts of the boxes.
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
