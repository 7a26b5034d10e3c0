import { shell } from 'electron'
import { isOpenable } from './openable.ts'
import { OpeningPause } from './opening-pause.ts'

/**
 * Opens the provider's page in the system's browser. False if there is no browser, or too many pages were opened
 * lately.
 */
export function createBrowserOpener(now: () => number): (address: URL) => Promise<boolean> {
  const pause = new OpeningPause(now)
  return async (address) => {
    // SECURITY: only web addresses are opened, because another scheme would start another program.
    if (!isOpenable(address) || !pause.take()) return false
    try {
      await shell.openExternal(address.href)
      return true
    } catch {
      return false
    }
  }
}
