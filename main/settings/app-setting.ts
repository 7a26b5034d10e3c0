/** The settings of the whole app, which there are once and not for each connection. */
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { type AppSettingName, SETTINGS, type Source } from '../../contract/settings.ts'
import { type AppLayer, type Layers, mayUserSet, pick, sourceOf } from './layers.ts'
import type { Value } from './values.ts'

type Rows = typeof SETTINGS

/** A setting that users can't set, or not here: `startAtLogin` is kept by the desktop. */
export interface FixedSetting<T> {
  readonly value: T
  /** The source that set it; `undefined` if none did and `value` is the default. */
  readonly source: Source | undefined
}

/** A setting of which the user's own value is kept in the settings file. */
export interface AppSetting<T> extends FixedSetting<T> {
  /** Keeps the user's own value, or answers `MANAGED`. */
  set(value: T): Outcome
}

/** The answer to a user who changes what isn't the user's to set. */
export const MANAGED: Outcome = fail({ code: 'invalidInput', details: { cause: 'managed' } })

/** `undefined` only if the setting has no default. */
type Counting<N extends AppSettingName> = Value<N> | (Rows[N]['default'] extends undefined ? undefined : never)

export type UserAppSettingName = {
  [N in AppSettingName]: Rows[N]['user'] extends 'settings' ? N : never
}[AppSettingName]

type SettingOf<N extends AppSettingName> = N extends UserAppSettingName
  ? AppSetting<Counting<N>>
  : FixedSetting<Counting<N>>

interface AppSettingsOptions {
  /** As the file was read last. */
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

  /** The setting of this name. It is live: its value and source are what counts when they are read. */
  of<N extends AppSettingName>(name: N): SettingOf<N> {
    const layers = () => this.#layers
    const { user } = this.#options
    const setting: AppSetting<Value<AppSettingName> | undefined> = {
      get value() {
        return pick(layers(), name) ?? SETTINGS[name].default
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
