import { type BrowserWindow, dialog } from 'electron'

interface Question {
  readonly message: string
  readonly detail: string
  readonly confirm: string
  readonly cancel: string
}

const CANCEL = 0
const CONFIRM = 1

/**
 * Asks the user in a dialog of the system, in front of the window. SECURITY: the page can't click it. If there is no
 * window, or it closes meanwhile, the answer is no.
 */
export async function confirm(question: Question, window: BrowserWindow | undefined): Promise<boolean> {
  if (window === undefined) return false
  const closing = new AbortController()
  const abort = () => closing.abort()
  window.once('closed', abort)
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      title: 'Latchkey',
      message: question.message,
      detail: question.detail,
      buttons: [question.cancel, question.confirm],
      // SECURITY: Enter, Space and Escape that were meant for the page confirm nothing.
      defaultId: CANCEL,
      cancelId: CANCEL,
      noLink: true,
      signal: closing.signal,
    })
    return response === CONFIRM && !closing.signal.aborted
  } finally {
    window.off('closed', abort)
  }
}
