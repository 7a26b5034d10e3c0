import { shell } from 'electron'
import { isOpenable } from './openable.ts'

/** A malicious page must not be able to open many tabs. */
const SHORTEST_INTERVAL_MS = 1_000

/** Opens the provider's page in the system's browser. False if there is none. */
export function createBrowserOpener(now: () => number): (address: URL) => Promise<boolean> {
  let openFrom = 0
  return async (address) => {
    // SECURITY: only a web page leaves Latchkey: another scheme would start another program.
    if (!isOpenable(address) || now() < openFrom) return false
    openFrom = now() + SHORTEST_INTERVAL_MS
    try {
      await shell.openExternal(address.href)
      return true
    } catch {
      return false
    }
  }
}
