import type { Shell } from 'electron'
import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'

interface OpenerPorts<Method extends keyof Shell> {
  readonly shell: Pick<Shell, Method>
  readonly now: () => number
}

const UNAVAILABLE: Failure = { code: 'interactionRequired', problem: 'browserUnavailable' }

/** Opens a page in the browser. Fails if there is no browser, or if a page was opened a moment ago. */
export function createBrowserOpener({ shell, now }: OpenerPorts<'openExternal'>): (address: URL) => Promise<Outcome> {
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

/** SECURITY: an authorization request without credentials, over https or to this computer. */
export function isOpenable({ protocol, hostname, username, password, searchParams }: URL): boolean {
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  const isSignIn = searchParams.get('response_type') === 'code' && searchParams.get('code_challenge_method') === 'S256'
  // The provider already has the parameters of a pushed request (RFC 9126 section 4).
  const isPushed = searchParams.has('client_id') && searchParams.has('request_uri')
  return isSafe && username === '' && password === '' && (isSignIn || isPushed)
}

/** SECURITY: ignores requests that follow each other too quickly, so the page can't flood the user with windows. */
export function createFolderOpener({ shell, now }: OpenerPorts<'showItemInFolder'>): (file: string) => void {
  const limit = new OpenLimit(now)
  return (file) => {
    if (limit.take() === 0) shell.showItemInFolder(file)
  }
}

const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Longer than any pause, so a page that keeps asking never gets short pauses again. */
const FORGOTTEN_AFTER_MS = 2 * LONGEST_PAUSE_MS

/** SECURITY: the page can't flood the user with tabs: the pause between two openings doubles, up to a limit. */
export class OpenLimit {
  readonly #now: () => number
  #opened = 0
  #last = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many milliseconds the caller must wait. If it is 0, the caller must open the program now. */
  take(): number {
    const now = this.#now()
    if (now - this.#last >= FORGOTTEN_AFTER_MS) this.#opened = 0
    const pause = this.#opened === 0 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** (this.#opened - 1), LONGEST_PAUSE_MS)
    const left = this.#last + pause - now
    if (left > 0) return left
    this.#opened += 1
    this.#last = now
    return 0
  }
}
