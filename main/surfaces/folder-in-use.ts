import { app, dialog } from 'electron'
import { loadTexts } from '../../text/index.ts'

const QUIT = 0
const START = 1

/** Names the computer that uses the data folder, and asks whether to start anyway. */
export async function startsAnyway(host: string, folder: string): Promise<boolean> {
  const { desktop } = await loadTexts(app.getLocale(), process.platform)
  const { title, body, startAnyway, quit } = desktop.folderInUse(host, folder)
  console.error(`${title} ${body}`)
  // This call is synchronous: while there is no window, the answer to an asynchronous dialog would not wake Electron.
  // The call may block, because nothing else runs yet.
  const response = dialog.showMessageBoxSync({
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
