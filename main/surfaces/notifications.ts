import { app, Notification } from 'electron'
import type { Sentence } from '../../text/sentence.ts'

/** The same as in `electron-builder.yml`: the installer's shortcut has it. */
const APP_ID = 'example.latchkey.desktop'

/** Windows shows the notifications of programs alone that it knows by their id (Electron: Notifications). */
export function nameForWindows(): void {
  if (process.platform === 'win32' && app.isPackaged) app.setAppUserModelId(APP_ID)
}

/** Whether this desktop shows notifications, as far as the system can tell. */
export const canNotify = (): boolean => Notification.isSupported()

/** Electron lets go of one that nobody holds, and its click with it. */
const held = new Set<Notification>()

/** Shows a notification, where the desktop can, and tells when it is gone; returns how to close it. */
export function showNotification({ title, body }: Sentence, onClick: () => void, onGone: () => void): () => void {
  if (!canNotify()) return () => {}
  const notification = new Notification({ title, body, silent: true })
  held.add(notification)
  const letGo = () => {
    if (held.delete(notification)) onGone()
  }
  notification.on('click', () => {
    onClick()
    letGo()
  })
  notification.on('close', letGo)
  notification.show()
  return () => {
    held.delete(notification)
    notification.close()
  }
}
