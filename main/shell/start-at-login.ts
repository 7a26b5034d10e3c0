import type { Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import type { Remembered } from '../key-value-store.ts'
import type { LoginItem } from './login-item.ts'

/** Starting at login, as the window shows it: offered until the user has once said yes or no. */
export class StartAtLogin {
  readonly #item: LoginItem | undefined
  readonly #asked: Remembered<boolean>

  /** @param item `undefined` where the app can't start at login. */
  constructor(item: LoginItem | undefined, asked: Remembered<boolean>) {
    this.#item = item
    this.#asked = asked
  }

  get view(): AppView['startAtLogin'] {
    if (this.#item === undefined) return undefined
    return { enabled: this.#item.isEnabled(), offered: this.#asked.get() !== true }
  }

  /** Throws where the system's own list can't be written. */
  set(enabled: boolean): Outcome {
    if (this.#item === undefined) return { ok: false, failure: { code: 'notConfigured' } }
    this.#item.set(enabled)
    if (this.#asked.get() !== true) this.#asked.set(true)
    return { ok: true, value: undefined }
  }

  toggle(): Outcome {
    return this.set(this.#item?.isEnabled() === false)
  }

  /** Writes the entry anew where there is one: the program may have moved. */
  refresh(): void {
    if (this.#item?.isEnabled() === true) this.#item.set(true)
  }
}
