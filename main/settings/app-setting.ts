/** The settings of the whole app, as opposed to those of a connection. */
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { AppSettingName, SETTINGS, Source } from '../../contract/settings.ts'
import { type AppLayer, type EffectiveValue, effective, type Layers, mayUserSet, sourceOf } from './layers.ts'
import type { Value } from './values.ts'

type Rows = typeof SETTINGS

/** A setting without `set`: the user can't set it, or the desktop stores the user's choice (`startAtLogin`). */
export interface FixedSetting<T> {
  readonly value: T
  /** The source that set it; `undefined` if none did and `value` is the default. */
  readonly source: Source | undefined
}

/** A setting whose user value is stored in the settings file. */
export interface AppSetting<T> extends FixedSetting<T> {
  /** Stores the user's value, or returns `MANAGED`. */
  set(value: T): Outcome
}

/** The result if a user tries to change a managed setting. */
export const MANAGED: Outcome = fail({ code: 'invalidInput', details: { cause: 'managed' } })

export type UserAppSettingName = {
  [N in AppSettingName]: Rows[N]['user'] extends 'settings' ? N : never
}[AppSettingName]

type SettingOf<N extends AppSettingName> = N extends UserAppSettingName
  ? AppSetting<EffectiveValue<N>>
  : FixedSetting<EffectiveValue<N>>

interface AppSettingsOptions {
  /** The administrator's file as it was last read. */
  readonly policy: () => AppLayer
  readonly environment: AppLayer
  readonly user: {
    readonly app: { readonly layer: AppLayer }
    saveApp<N extends UserAppSettingName>(name: N, value: Value<N>): void
  }
}

export class AppSettings {
  readonly #options: AppSettingsOptions

  constructor(options: AppSettingsOptions) {
    this.#options = options
  }

  /** The setting with this name. Its value and source are always current, even if the policy changes later. */
  of<N extends AppSettingName>(name: N): SettingOf<N> {
    const layers = () => this.#layers
    const { user } = this.#options
    const setting: AppSetting<Value<AppSettingName> | undefined> = {
      get value() {
        return effective(layers(), name)
      },
      get source() {
        return sourceOf(layers(), name)
      },
      set(value) {
        if (!mayUserSet(layers(), name)) return MANAGED
        user.saveApp(name as UserAppSettingName, value as boolean)
        return OK
      },
    }
    return setting as SettingOf<N>
  }

  get #layers(): Layers<AppSettingName> {
    const { policy, environment, user } = this.#options
    return { policy: policy(), environment, user: user.app.layer }
  }
}
