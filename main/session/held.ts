import type { SignInMethod } from '../../contract/sign-in-methods.ts'
import { displayName } from './display-text.ts'
import type { SessionEntry } from './entry.ts'
import { NewPassword } from './new-password.ts'
import type { Clock } from './ports.ts'
import type { AccessToken, RefreshToken } from './secret.ts'
import type { Account } from './state.ts'

/** What is held of a signed-in session. Lives in main process memory alone. */
export interface Held {
  readonly account: Account
  readonly sub?: string
  /** Where its tokens came from. They are sent nowhere else. */
  readonly issuer: string
  /** The newest, whether the keychain has it yet or not. Absent where the issuer gave none. */
  readonly refreshToken?: RefreshToken
  /** The newest access token. Announced only once the refresh token that came with it has been written. */
  readonly accessToken?: AccessToken
  /** When the access token runs out, on the Clock. */
  readonly expiresAt?: number
}

/**
 * An account before its access token names the user. SECURITY: a page, or whoever wrote the keychain entry, chose the
 * username, and the tray shows it.
 */
export const accountOf = (method: SignInMethod, username: string): Account => ({
  username,
  displayName: displayName(username),
  method,
})

export const heldFrom = ({ method, username, sub, refreshToken }: SessionEntry, issuer: string): Held => ({
  account: accountOf(method, username),
  issuer,
  ...(sub === undefined ? {} : { sub }),
  refreshToken,
})

/** The session in hand, one after another. What was begun for one must not touch the next. */
export class Holding {
  readonly #clock: Clock
  #held: Held | undefined
  #newPassword: NewPassword
  #generation = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#newPassword = new NewPassword(clock)
  }

  get held(): Held | undefined {
    return this.#held
  }

  get newPassword(): NewPassword {
    return this.#newPassword
  }

  /** The session of an earlier run, where nothing is held yet: no sign-in under way is disturbed. */
  resume(held: Held): void {
    this.#held = held
  }

  /** Another session, or none, from now on. */
  replace(held: Held | undefined): void {
    this.#generation += 1
    this.#held = held
    this.#newPassword.end()
    this.#newPassword = new NewPassword(this.#clock)
  }

  /** The same session, changed. */
  update(change: Partial<Held>): Held {
    if (this.#held === undefined) throw new Error('no session is held')
    this.#held = { ...this.#held, ...change }
    return this.#held
  }

  /** Answers, whenever it is asked, whether it is still the session of now. */
  sameSession(): () => boolean {
    const generation = this.#generation
    return () => generation === this.#generation
  }
}
