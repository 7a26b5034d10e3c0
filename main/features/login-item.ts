import { isLocked } from '../../contract/settings.ts'
import type { AppView } from '../../contract/views.ts'
import type { Remembered } from '../base/key-value-store.ts'
import type { Subscribe } from '../base/listeners.ts'
import type { Report } from '../log/log.ts'
import type { AppSetting } from '../settings/app-setting.ts'
import type { StoredSwitch } from './switches.ts'

export interface LoginItem {
  isEnabled(): boolean
  /** Adds or removes the entry. Throws if the system's list of login items can't be changed. */
  set(enabled: boolean): void
  /** Writes an existing entry again, because the program may have moved. */
  refresh(): void
}

interface LoginItemPorts {
  readonly item: LoginItem | undefined
  /** The policy's value; `undefined` if the user decides. The desktop stores the user's choice. */
  readonly setting: AppSetting<boolean | undefined>
  readonly onPolicyChange: Subscribe
  readonly asked: Remembered<boolean>
  readonly report: Report
  readonly changed: () => void
}

/** Lets the app start at login. The window offers this until the user has answered, unless the policy decides. */
export class LoginItemFeature {
  readonly #ports: LoginItemPorts
  #undo = (): void => {}

  constructor(ports: LoginItemPorts) {
    this.#ports = ports
  }

  view(): Pick<AppView, 'offersStartAtLogin'> {
    const { item, asked, setting } = this.#ports
    return {
      offersStartAtLogin: item !== undefined && !isLocked('startAtLogin', setting.source) && asked.get() !== true,
    }
  }

  /** The functions that read and change the user's choice, which the system stores in its list of login items. */
  get stored(): StoredSwitch | undefined {
    const { item, asked } = this.#ports
    if (item === undefined) return undefined
    return {
      isEnabled: () => item.isEnabled(),
      set(enabled) {
        item.set(enabled)
        if (asked.get() !== true) asked.set(true)
      },
    }
  }

  start(): void {
    this.#undo = this.#ports.onPolicyChange(() => this.#apply())
    this.#apply()
  }

  stop(): void {
    this.#undo()
  }

  /** Also writes an entry that already matches the policy, because the program may have moved. */
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
