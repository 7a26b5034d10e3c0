import type { Handlers } from '../../contract/calls.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { type DesktopSwitch, isLocked, SETTINGS, USER_SWITCHES, type UserSwitch } from '../../contract/settings.ts'
import type { AppView } from '../../contract/views.ts'
import type { Report } from '../log/log.ts'
import type { AppSettings } from '../settings/app-setting.ts'

export interface StoredSwitch {
  isEnabled(): boolean
  set(enabled: boolean): void
}

interface SwitchesPorts {
  readonly settings: Pick<AppSettings, 'of' | 'save'>
  /** The switches that the desktop stores. One that isn't available on this system is absent. */
  readonly desktop: { readonly [N in DesktopSwitch]?: StoredSwitch | undefined }
  /** Called after the user has set a switch, and before the user's call resolves. */
  readonly apply: { readonly [N in UserSwitch]?: () => void | Promise<void> }
  readonly report: Report
  readonly changed: () => void
}

export const MANAGED: Outcome = fail({ code: 'invalidInput', details: { cause: 'managed' } })

const isOfDesktop = (name: UserSwitch): name is DesktopSwitch => SETTINGS[name].user === 'desktop'

export class Switches {
  readonly #ports: SwitchesPorts

  constructor(ports: SwitchesPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    setSwitch: ({ name, enabled }) => this.#set(name, enabled),
  } satisfies Partial<Handlers>

  view(): Pick<AppView, 'switches'> {
    const switches = USER_SWITCHES.flatMap((name) => {
      const stored = this.#stored(name)
      const { source, place } = this.#ports.settings.of(name)
      const from = { ...(source && { source }), ...(place && { place }) }
      return stored === undefined ? [] : [[name, { enabled: stored.isEnabled(), ...from }] as const]
    })
    return { switches: Object.fromEntries(switches) as AppView['switches'] }
  }

  /** Changes a switch from a menu. Returns false if the change fails or isn't allowed. */
  async toggle(name: UserSwitch): Promise<boolean> {
    try {
      return (await this.#set(name, this.#stored(name)?.isEnabled() === false)).ok
    } catch (error) {
      this.#ports.report(name, error)
      return false
    }
  }

  async #set(name: UserSwitch, enabled: boolean): Promise<Outcome> {
    const { settings, apply, report, changed } = this.#ports
    const stored = this.#stored(name)
    if (stored === undefined) return fail({ code: 'notConfigured' })
    // SECURITY: the page can't change what the policy or the environment decides.
    if (isLocked(name, settings.of(name).source)) return MANAGED
    try {
      try {
        stored.set(enabled)
      } catch (error) {
        report(name, error)
        return fail({ code: 'settingsUnwritable' })
      }
      await apply[name]?.()
      return OK
    } finally {
      // The choice may have been stored even if something failed afterwards.
      changed()
    }
  }

  /** Returns functions that read and write the switch; `undefined` if this system doesn't have it. */
  #stored(name: UserSwitch): StoredSwitch | undefined {
    const { settings, desktop } = this.#ports
    if (isOfDesktop(name)) return desktop[name]
    return { isEnabled: () => settings.of(name).value, set: (enabled) => settings.save(name, enabled) }
  }
}
