import type { Handlers } from '../../contract/calls.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import type { AccessToken, Secret } from '../base/secret.ts'
import { Tasks } from '../base/waits.ts'
import type { SessionEngine } from '../session/session-engine.ts'

/** The system's clipboard. Reading it never throws. */
export interface TextClipboard extends ClipboardText {
  writeText(text: string): void | Promise<void>
  /** The primary selection, which exists on Linux. A clipboard manager may have copied the token to it. */
  readonly selection?: ClipboardText
}

interface ClipboardText {
  readText(): string | Promise<string>
  clear(): void
}

interface ClipboardPorts {
  readonly clipboard: TextClipboard
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** `name`: by default the shown connection. */
  readonly session: (name?: string) => Pick<SessionEngine, 'accessToken' | 'hasValidToken' | 'refresh'> | undefined
  readonly isForbidden: () => boolean
  readonly changed: () => void
}

interface Copied {
  readonly secret: Secret
  readonly session?: { readonly accessToken: AccessToken | undefined }
  /** Resolves when the secret is on the clipboard. `undefined` after that, because no wait is needed any more. */
  written: Promise<void> | undefined
  readonly cancelTimer: () => void
}

const STAY_MS = 60_000

export class Clipboard {
  readonly #ports: ClipboardPorts
  #copied: Copied | undefined
  readonly #clearing = new Tasks()
  readonly #stopped = new AbortController()

  constructor(ports: ClipboardPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    copyToken: () => this.copyToken(),
  } satisfies Partial<Handlers>

  /** SECURITY: clears the clipboard if the secret is still on it, but leaves what the user has copied since. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#clear()
    await this.#clearing.over()
  }

  /** Call this after a change of a session. SECURITY: clears the clipboard when the token's session ends. */
  async sessionsChanged(): Promise<void> {
    const { session } = this.#copied ?? {}
    if (session !== undefined && session.accessToken === undefined) this.#clear()
    await this.#clearing.over()
  }

  canCopyToken(connection: string): boolean {
    return !this.#ports.isForbidden() && this.#ports.session(connection)?.accessToken !== undefined
  }

  /** True for a minute after this connection's current token was copied, unless another secret was copied since. */
  isTokenCopied(connection: string): boolean {
    const token = this.#ports.session(connection)?.accessToken
    return token !== undefined && this.#copied?.secret === token
  }

  async copyToken(connection?: string): Promise<Outcome> {
    // SECURITY: tools must not get from the clipboard what they may not get from the agent.
    if (this.#ports.isForbidden()) return fail({ code: 'notConfirmed' })
    const session = this.#ports.session(connection)
    if (session === undefined) return fail({ code: 'notConfigured' })
    const hasRunOut = session.accessToken !== undefined && !session.hasValidToken
    const refreshed = hasRunOut ? await session.refresh() : OK
    if (!refreshed.ok) return refreshed
    const { accessToken, hasValidToken } = session
    if (accessToken === undefined || !hasValidToken || this.#stopped.signal.aborted || this.#ports.isForbidden())
      return fail({ code: 'sessionEnded' })
    await this.copy(accessToken, STAY_MS, session)
    return OK
  }

  async copy(secret: Secret, stayMs: number, session?: Copied['session']): Promise<void> {
    const { clipboard, clock, changed } = this.#ports
    // SECURITY: a secret that is copied while the app quits would never be cleared.
    if (this.#stopped.signal.aborted) return
    this.#copied?.cancelTimer()
    const cancelTimer = clock.at(clock.now() + stayMs, () => this.#clear())
    const write = async () => clipboard.writeText(secret.reveal())
    const copied: Copied = { secret, ...(session && { session }), written: write(), cancelTimer }
    this.#copied = copied
    await copied.written
    copied.written = undefined
    changed()
  }

  #clear(): void {
    const { clipboard, changed } = this.#ports
    const copied = this.#copied
    if (copied === undefined) return
    this.#copied = undefined
    copied.cancelTimer()
    changed()
    const clear = async (text: ClipboardText) => {
      if (copied.written !== undefined) await copied.written.catch(() => {})
      const isOurs = (await text.readText()) === copied.secret.reveal()
      // Another secret may have been copied while the clipboard was read.
      if (isOurs && this.#copied === undefined) text.clear()
    }
    this.#clearing.add(clear(clipboard))
    if (clipboard.selection !== undefined) this.#clearing.add(clear(clipboard.selection))
  }
}
