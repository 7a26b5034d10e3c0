import { shell } from 'electron'
import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import { OpenLimit } from './open-limit.ts'
import { isOpenable } from './openable.ts'

const UNAVAILABLE: Failure = { code: 'interactionRequired', problem: 'browserUnavailable' }

/**
 * Opens the provider's page in the system's browser. Fails if there is no browser, or if a page was opened a moment
 * ago.
 */
export function createBrowserOpener(now: () => number): (address: URL) => Promise<Outcome> {
  const limit = new OpenLimit(now)
  return async (address) => {
    // SECURITY: only sign-in addresses are opened. Schemes other than http and https could start other programs.
    if (!isOpenable(address)) return fail(UNAVAILABLE)
    const wait = limit.take()
    if (wait > 0) return fail({ code: 'rateLimited', problem: 'openedLately', retryAfter: Math.ceil(wait / 1_000) })
    try {
      await shell.openExternal(address.href)
      return OK
    } catch {
      return fail(UNAVAILABLE)
    }
  }
}
