import { Notification } from 'electron'
import type { Sentence } from '../../text/sentence.ts'

/** Whether this desktop shows notifications, as far as the system can tell. */
export const canNotify = (): boolean => Notification.isSupported()

/** Electron lets go of one that nobody holds, and its click with it. */
const held = new Set<Notification>()

/** Shows a notification, where the desktop can; returns how to close it. */
export function showNotification({ title, body }: Sentence, onClick: () => void): () => void {
  if (!canNotify()) return () => {}
  const notification = new Notification({ title, body, silent: true })
  held.add(notification)
  notification.on('click', onClick)
  notification.on('close', () => held.delete(notification))
  notification.show()
  return () => {
    notification.close()
    held.delete(notification)
  }
}
