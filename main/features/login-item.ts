import { OK, type Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import type { Remembered } from '../key-value-store.ts'
import type { Report } from '../log/report.ts'
import type { LoginItem } from '../login-item/login-item.ts'
import type { Feature } from './feature.ts'

interface LoginItemPorts {
  /** `undefined` if the app can't start at login. */
  readonly item: LoginItem | undefined
  /** Whether the user has ever said yes or no. */
  readonly asked: Remembered<boolean>
  readonly report: Report
  readonly changed: () => void
}

/** Starting at login: offered until the user has once said yes or no. */
export class LoginItemFeature implements Feature<'setStartAtLogin', 'startAtLogin'> {
  readonly #ports: LoginItemPorts

  constructor(ports: LoginItemPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    setStartAtLogin: async ({ enabled }: { readonly enabled: boolean }) => this.#set(enabled),
  }

  view(): Pick<AppView, 'startAtLogin'> {
    const { item, asked } = this.#ports
    if (item === undefined) return {}
    return { startAtLogin: { enabled: item.isEnabled(), offered: asked.get() !== true } }
  }

  start(): void {
    const { item } = this.#ports
    if (item?.isEnabled() === true) item.refresh()
  }

  /** Turns it on if it is off, and off if it is on. Whether the desktop accepted that. */
  toggle(): boolean {
    const { item, report, changed } = this.#ports
    try {
      return this.#set(item?.isEnabled() === false).ok
    } catch (error) {
      report('startAtLogin', error)
      // The desktop's menu may have changed its tick by itself.
      changed()
      return false
    }
  }

  /** Throws if the system's own list can't be written. */
  #set(enabled: boolean): Outcome {
    const { item, asked, changed } = this.#ports
    if (item === undefined) return { ok: false, failure: { code: 'notConfigured' } }
    item.set(enabled)
    if (asked.get() !== true) asked.set(true)
    changed()
    return OK
  }
}
