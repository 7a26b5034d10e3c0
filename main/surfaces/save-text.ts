import { open } from 'node:fs/promises'
import { type BrowserWindow, dialog } from 'electron'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { Sentence } from '../../text/sentence.ts'

interface SaveTextOptions {
  /** The window that asks; without one there is nobody to ask. */
  readonly window: BrowserWindow | undefined
  /** The title of the dialog that asks where to. */
  readonly title: string
  /** The name that is offered. */
  readonly fileName: string
  readonly onSaved: (file: string) => void
  /** What to say where the system refuses a file; `cause` is its error code. */
  readonly notSaved: (file: string, cause: string) => Sentence
}

const asking = new WeakMap<BrowserWindow, Promise<Outcome>>()

/**
 * Asks where to, and writes a text there; a person who thinks better of it changes nothing. SECURITY: a window has one
 * such dialog at a time, however often its page asks.
 */
export function saveText(text: () => Promise<string>, options: SaveTextOptions): Promise<Outcome> {
  const { window } = options
  if (window === undefined) return Promise.resolve(OK)
  const outcome = asking.get(window) ?? ask(text, options, window).finally(() => asking.delete(window))
  asking.set(window, outcome)
  return outcome
}

async function ask(
  text: () => Promise<string>,
  { title, fileName, onSaved, notSaved }: SaveTextOptions,
  window: BrowserWindow,
): Promise<Outcome> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, { title, defaultPath: fileName })
  if (canceled || filePath === '') return OK
  try {
    await writePrivate(filePath, await text())
    onSaved(filePath)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const { title: message, body: detail } = notSaved(filePath, String(error.code))
    await dialog.showMessageBox(window, { type: 'error', title, message, detail })
  }
  return OK
}

/** SECURITY: the user's alone to read, also where the file was there before. */
async function writePrivate(filePath: string, text: string): Promise<void> {
  const file = await open(filePath, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}
