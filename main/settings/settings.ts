import type { ConnectionView, Outcome } from '../../preload/contract.ts'
import { normaliseBaseAddress } from './base-address.ts'
import { type Connection, resolveConnection } from './connection.ts'
import type { ClientSecret, Layer, SettingsProblem } from './layer.ts'
import type { UserSettings } from './user-settings.ts'

interface Reading {
  readonly layer: Layer
  readonly problems: readonly SettingsProblem[]
}

interface SettingsOptions {
  readonly policy: Reading
  readonly environment: Reading
  readonly user: UserSettings
}

/** All sources together: what is set, by whom, and what of it can't be used. */
export class Settings {
  readonly #options: SettingsOptions
  /** The user's own, out of the keychain: it is in no file. */
  #keychainSecret: ClientSecret | undefined

  constructor(options: SettingsOptions) {
    this.#options = options
  }

  /** The connection as it is set now, secrets and all: for the main process alone. */
  get connection(): Connection | undefined {
    const { policy, environment, user } = this.#options
    const secret = this.#keychainSecret
    const own = { ...user.layer().layer, ...(secret === undefined ? {} : { clientSecret: secret }) }
    return resolveConnection({ policy: policy.layer, environment: environment.layer, user: own })
  }

  /** Takes the client secret that the keychain holds for the present connection. */
  set keychainSecret(secret: ClientSecret | undefined) {
    this.#keychainSecret = secret
  }

  get problems(): readonly SettingsProblem[] {
    const { policy, environment, user } = this.#options
    return [...policy.problems, ...environment.problems, ...user.layer().problems]
  }

  /** Keeps the user's own address. A managed one can't be changed; `invalidInput` names what is wrong. */
  setBaseAddress(text: string): Outcome {
    const source = this.connection?.source ?? 'user'
    if (source !== 'user') return refused('managed')
    const address = normaliseBaseAddress(text)
    if (!address.ok) return refused(address.problem)
    this.#options.user.setBaseAddress(address.value)
    return { ok: true, value: undefined }
  }
}

function refused(cause: string): Outcome {
  return { ok: false, failure: { code: 'invalidInput', details: { operation: 'connect', cause } } }
}

/** What the window may know of a connection. */
export function connectionView({ baseAddress, host, source, identityProvider }: Connection): ConnectionView {
  return { baseAddress, host, source, methods: identityProvider === undefined ? ['password'] : ['password', 'sso'] }
}
