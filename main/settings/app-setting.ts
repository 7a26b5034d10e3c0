import type { AppSettingName, PolicyPlaceKind, Source, StoredAppSettingName } from '../../contract/settings.ts'
import { type AppLayer, type EffectiveValue, effective, type Layers, sourceOf } from './layers.ts'
import type { Value } from './values.ts'

export interface AppSetting<T> {
  readonly value: T
  /** The source that set the value; `undefined` if none did and `value` is the default. */
  readonly source: Source | undefined
  readonly place?: PolicyPlaceKind | undefined
}

interface AppSettingsOptions {
  readonly policy: () => AppLayer
  readonly placeOf?: (name: AppSettingName) => PolicyPlaceKind | undefined
  readonly environment: AppLayer
  readonly user: {
    readonly app: { readonly layer: AppLayer }
    saveApp<N extends StoredAppSettingName>(name: N, value: Value<N>): void
  }
}

export class AppSettings {
  readonly #options: AppSettingsOptions

  constructor(options: AppSettingsOptions) {
    this.#options = options
  }

  /** The setting with this name. Its value and source stay current when the policy changes. */
  of<N extends AppSettingName>(name: N): AppSetting<EffectiveValue<N>> {
    const layers = () => this.#layers
    const { placeOf } = this.#options
    return {
      get value() {
        return effective(layers(), name)
      },
      get source() {
        return sourceOf(layers(), name)
      },
      get place() {
        return placeOf?.(name)
      },
    }
  }

  save<N extends StoredAppSettingName>(name: N, value: Value<N>): void {
    this.#options.user.saveApp(name, value)
  }

  get #layers(): Layers<AppSettingName> {
    const { policy, environment, user } = this.#options
    return { policy: policy(), environment, user: user.app.layer }
  }
}
