import { shell } from 'electron'
import { OpenLimit } from './open-limit.ts'

/**
 * Returns a function that shows a file in the system's file manager.
 *
 * SECURITY: the function ignores requests that follow each other too quickly, so the page can't flood the user with
 * windows.
 */
export function createFolderOpener(now: () => number): (file: string) => void {
  const limit = new OpenLimit(now)
  return (file) => {
    if (limit.take() === 0) shell.showItemInFolder(file)
  }
}
