import { OK, type Outcome } from '../../contract/failures.ts'
import { isLocked } from '../../contract/settings.ts'
import type { AppView } from '../../contract/views.ts'
import type { Remembered } from '../key-value-store.ts'
import type { Report } from '../log/report.ts'
import type { LoginItem } from '../login-item/login-item.ts'
import { type FixedSetting, MANAGED } from '../settings/app-setting.ts'
import type { Feature, Subscribe } from './feature.ts'

interface LoginItemPorts {
  /** `undefined` if the app can't start at login. */
  readonly item: LoginItem | undefined
  /**
   * The policy: true if the app must start at login; `undefined` if the user decides. The desktop stores the user's
   * choice.
   */
  readonly setting: FixedSetting<boolean | undefined>
  readonly onPolicyChange: Subscribe
  /** True if the user has ever made a choice. */
  readonly asked: Remembered<boolean>
  readonly report: Report
  readonly changed: () => void
}

/** The “Start at login” setting. Unless the policy decides, the window offers it until the user has answered. */
export class LoginItemFeature implements Feature<'setStartAtLogin', 'startAtLogin'> {
  readonly #ports: LoginItemPorts
  #undo = (): void => {}

  constructor(ports: LoginItemPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    setStartAtLogin: async ({ enabled }: { readonly enabled: boolean }) => this.#set(enabled),
  }

  view(): Pick<AppView, 'startAtLogin'> {
    const { item, asked, setting } = this.#ports
    if (item === undefined) return {}
    const { source } = setting
    const offered = source === undefined && asked.get() !== true
    return { startAtLogin: { enabled: item.isEnabled(), offered, ...(source && { source }) } }
  }

  start(): void {
    this.#undo = this.#ports.onPolicyChange(() => this.#apply())
    this.#apply()
  }

  stop(): void {
    this.#undo()
  }

  /** Turns the setting “Start at login” on or off. Returns false if that fails or isn't allowed. */
  toggle(): boolean {
    const { item, report, changed } = this.#ports
    try {
      return this.#set(item?.isEnabled() === false).ok
    } catch (error) {
      report('startAtLogin', error)
      // The desktop may have toggled the menu's tick itself, so the menu must be drawn again.
      changed()
      return false
    }
  }

  /** Throws if the system's list of login items can't be written. */
  #set(enabled: boolean): Outcome {
    const { item, asked, setting, changed } = this.#ports
    if (item === undefined) return { ok: false, failure: { code: 'notConfigured' } }
    // SECURITY: the page can't change what the policy or the environment decides.
    if (isLocked('startAtLogin', setting.source)) return MANAGED
    item.set(enabled)
    if (asked.get() !== true) asked.set(true)
    changed()
    return OK
  }

  /** Makes the system's entry match the policy. Updates an entry that stays enabled: the program may have moved. */
  #apply(): void {
    const { item, setting, report, changed } = this.#ports
    if (item === undefined) return
    try {
      const isEnabled = item.isEnabled()
      const wanted = setting.value ?? isEnabled
      if (wanted !== isEnabled) item.set(wanted)
      else if (wanted) item.refresh()
    } catch (error) {
      report('startAtLogin', error)
    }
    changed()
  }
}
