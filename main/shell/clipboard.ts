import type { Clock } from '../session/ports.ts'
import type { AccessToken } from '../session/secret.ts'

/** The part of Electron's clipboard that is used; it answers at once before Electron 45 and with promises there. */
export interface TextClipboard {
  readText(): string | Promise<string>
  writeText(text: string): void | Promise<void>
  clear(): void
}

interface Copied {
  readonly token: AccessToken
  readonly cancelTimer: () => void
}

/** How long a copied access token stays on the clipboard: milliseconds. */
const STAY = 60_000

/** Puts an access token on the clipboard when the user asks for it, and takes it away again. */
export class TokenClipboard {
  readonly #clipboard: TextClipboard
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #onChange: () => void
  #copied: Copied | undefined

  /** @param onChange told whenever another token is held, or none any more. */
  constructor(clipboard: TextClipboard, clock: Pick<Clock, 'now' | 'at'>, onChange: () => void) {
    this.#clipboard = clipboard
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Whether this is the token that was copied last, and its time isn't over. */
  holds(token: AccessToken | undefined): boolean {
    return token !== undefined && this.#copied?.token === token
  }

  async copy(token: AccessToken): Promise<void> {
    this.#copied?.cancelTimer()
    const cancelTimer = this.#clock.at(this.#clock.now() + STAY, () => void this.clear())
    this.#copied = { token, cancelTimer }
    await this.#clipboard.writeText(token.reveal())
    this.#onChange()
  }

  /** SECURITY: takes the token away now, where the clipboard still holds it; what the user has copied since stays. */
  async clear(): Promise<void> {
    const copied = this.#copied
    if (copied === undefined) return
    this.#copied = undefined
    copied.cancelTimer()
    this.#onChange()
    const isOurs = (await this.#clipboard.readText()) === copied.token.reveal()
    // Another may have been copied meanwhile.
    if (isOurs && this.#copied === undefined) this.#clipboard.clear()
  }
}
