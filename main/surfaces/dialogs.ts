import { open } from 'node:fs/promises'
import { app, BrowserWindow, dialog } from 'electron'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { StartProblem } from '../../contract/start-problem.ts'
import { loadTexts, type Texts } from '../../text/index.ts'
import type { Sentence } from '../../text/sentence.ts'
import { forTerminal } from '../base/display-text.ts'

interface Question {
  readonly message: string
  readonly detail: string
  readonly confirm: string
  readonly cancel: string
}

const CANCEL = 0
const CONFIRM = 1

const openWindow = (): BrowserWindow | undefined =>
  BrowserWindow.getAllWindows().find((window) => window.isVisible() || window.isMinimized())

/** Asks the user in a dialog of the window. Resolves to false if there is no window, or if the window closes first. */
export async function confirm(question: Question): Promise<boolean> {
  const window = openWindow()
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
      // SECURITY: Cancel is the default, because Enter, Space or Escape may have been meant for the page.
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

interface SaveTextOptions {
  readonly title: string
  readonly fileName: string
  readonly onSaved: (file: string) => void
  readonly notSaved: (file: string, cause: string) => Sentence
}

const asking = new WeakMap<BrowserWindow, Promise<Outcome>>()

/** Does nothing if the user cancels or there is no window. SECURITY: a window shows one file dialog at a time. */
export function saveText(text: () => Promise<string>, options: SaveTextOptions): Promise<Outcome> {
  const window = openWindow()
  if (window === undefined) return Promise.resolve(OK)
  const outcome = asking.get(window) ?? askAndSave(text, options, window).finally(() => asking.delete(window))
  asking.set(window, outcome)
  return outcome
}

async function askAndSave(
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

/** Writes a file. SECURITY: only the user can read it, even if the file existed before. */
async function writePrivate(filePath: string, text: string): Promise<void> {
  const file = await open(filePath, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}

export function showStartAtLoginRefused({ desktop, settings }: Pick<Texts, 'desktop' | 'settings'>): void {
  void dialog.showMessageBox({ type: 'error', message: desktop.startAtLogin, detail: settings.desktop.notSet })
}

const WAKE_MS = 100
const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Resolves to the chosen button. This is asynchronous, so that a signal can end the process. */
async function askBeforeStart(options: Electron.MessageBoxOptions): Promise<number> {
  // While there is no window, the user's answer doesn't wake Electron, but a timer does.
  const timer = setInterval(() => {}, WAKE_MS)
  const end = () => app.exit(1)
  for (const signal of ENDING_SIGNALS) process.once(signal, end)
  try {
    return (await dialog.showMessageBox(options)).response
  } finally {
    clearInterval(timer)
    for (const signal of ENDING_SIGNALS) process.off(signal, end)
  }
}

const QUIT = 0
const START = 1

export async function startsAnyway(host: string, folder: string): Promise<boolean> {
  const { desktop } = await loadTexts(app.getLocale(), process.platform)
  const { title, body, startAnyway, quit } = desktop.folderInUse(host, folder)
  console.error(forTerminal(`${title} ${body}`))
  const response = await askBeforeStart({
    type: 'warning',
    title: 'Latchkey',
    message: title,
    detail: body,
    buttons: [quit, startAnyway],
    defaultId: QUIT,
    cancelId: QUIT,
    noLink: true,
  })
  return response === START
}

export async function showRunsOnDisplay(display: string): Promise<void> {
  const { desktop } = await loadTexts(app.getLocale(), process.platform)
  const { title, body } = desktop.runsOnDisplay(display)
  console.error(forTerminal(`${title} ${body}`))
  await askBeforeStart({ type: 'info', title: 'Latchkey', message: title, detail: body })
}

export async function showStartProblem(problem: StartProblem): Promise<void> {
  const { desktop } = await loadTexts(app.getLocale(), process.platform)
  const detail = desktop.startProblem(problem)
  await askBeforeStart({ type: 'error', title: 'Latchkey', message: desktop.notStarted, detail })
}
