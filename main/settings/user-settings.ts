import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { CONNECTION_NAME, DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import {
  APP_SETTING_NAMES,
  SETTING_FIELDS,
  SETTINGS,
  type StoredAppSettingName,
  type ValueName,
} from '../../contract/settings.ts'
import type { KeyValueStore } from '../base/key-value-store.ts'
import { LENGTHS_KEPT, type Marker, type SessionLengths, type StoredMarker } from '../session/ports.ts'
import { type AppLayer, type Layer, readLayer } from './layers.ts'
import type { SettingsProblem } from './problems.ts'
import type { Value } from './values.ts'

const markerSchema = v.picklist(['stored', 'revoking', 'signedOut'])
const markersSchema = v.fallback(v.record(v.string(), v.unknown()), {})

/** The key for a hash of the last used authenticator at each service. */
const AUTHENTICATORS_KEY = 'usualAuthenticators'
const authenticatorsSchema = v.fallback(v.record(v.string(), v.string()), {})
/** The key for the providers that give a refresh token only after consent. */
const CONSENTS_KEY = 'consents'
const consentsSchema = v.fallback(v.array(v.string()), [])
/** The key for the lengths of the last sessions at each issuer. The entries don't say whose sessions they were. */
const LENGTHS_KEY = 'sessionLengths'
const lengthsSchema = v.fallback(
  v.record(v.string(), v.fallback(v.array(v.pipe(v.number(), v.finite(), v.minValue(0))), [])),
  {},
)
/** If the file has one of these keys, a connection or a session has been stored at some time. */
const KEYS = ['connection', 'connections', 'markers'] as const

const markOf = (of: readonly string[]): string => createHash('sha256').update(JSON.stringify(of)).digest('base64url')

const UNWRITABLE = fail({ code: 'settingsUnwritable' })

/** SECURITY: Latchkey never writes a secret into this file, and ignores a secret that it finds there. */
const isKeptHere = (name: ValueName): boolean => SETTINGS[name].user === 'settings'
const FIELDS_HERE = SETTING_FIELDS.filter(isKeptHere)
const APP_NAMES_HERE = APP_SETTING_NAMES.filter(isKeptHere)

/** The user's own settings, and a `Marker` for each keychain entry. They never contain a secret. */
export class UserSettings implements StoredMarker, SessionLengths {
  readonly #store: KeyValueStore

  constructor(store: KeyValueStore) {
    this.#store = store
  }

  /** The user's own connections, except for the default one, in the order in which they were added. */
  get names(): readonly string[] {
    return [...this.#connections().keys()].filter((name) => CONNECTION_NAME.test(name) && name !== DEFAULT_CONNECTION)
  }

  /** True until a connection or session is stored for the first time. It then stays false, even after a deletion. */
  get isNew(): boolean {
    return KEYS.every((key) => this.#store.get(key) === undefined)
  }

  layer(name: string): { readonly layer: Layer; readonly problems: readonly SettingsProblem[] } {
    const values = this.#values(name)
    if (typeof values !== 'object' || values === null) return { layer: {}, problems: [] }
    return readLayer('user', FIELDS_HERE, values)
  }

  /** If this fails (`settingsUnwritable`), nothing has changed. SECURITY: secrets are left out. */
  save(name: string, layer: Layer): Outcome {
    const values = Object.fromEntries(
      FIELDS_HERE.flatMap((field) => (layer[field] === undefined ? [] : [[field, layer[field]]])),
    )
    if (isDeepStrictEqual(this.#values(name) ?? {}, values)) return OK
    const { baseAddress } = this.layer(name).layer
    const isSaved =
      name === DEFAULT_CONNECTION
        ? this.#write('connection', values)
        : this.#setConnections(this.#connections().set(name, values))
    if (isSaved && baseAddress !== layer.baseAddress) this.#deleteAuthenticator(baseAddress)
    return isSaved ? OK : UNWRITABLE
  }

  /** Deletes a connection other than the default one. Fails as `save` does. */
  remove(name: string): Outcome {
    const connections = this.#connections()
    const { baseAddress } = this.layer(name).layer
    if (connections.delete(name) && !this.#setConnections(connections)) return UNWRITABLE
    this.#deleteAuthenticator(baseAddress)
    return OK
  }

  /** Returns false if the file can't be written, for example on a full disk. Nothing has changed in this case. */
  #write(key: string, value: unknown): boolean {
    try {
      this.#store.set(key, value)
      return true
    } catch {
      return false
    }
  }

  #values(name: string): unknown {
    return name === DEFAULT_CONNECTION ? this.#store.get('connection') : this.#connections().get(name)
  }

  /** SECURITY: an object would also have inherited keys, such as `constructor`. */
  #connections(): Map<string, unknown> {
    const stored = this.#store.get('connections')
    const isObject = typeof stored === 'object' && stored !== null && !Array.isArray(stored)
    return new Map(isObject ? Object.entries(stored) : [])
  }

  #setConnections(connections: ReadonlyMap<string, unknown>): boolean {
    return this.#write('connections', Object.fromEntries(connections))
  }

  get app(): { readonly layer: AppLayer; readonly problems: readonly SettingsProblem[] } {
    const values = Object.fromEntries(APP_NAMES_HERE.map((name) => [name, this.#store.get(name)]))
    return readLayer('user', APP_NAMES_HERE, values)
  }

  saveApp<N extends StoredAppSettingName>(name: N, value: Value<N>): void {
    if (this.#store.get(name) !== value) this.#store.set(name, value)
  }

  /** Only a hash of the factor and the username is stored. */
  usualAuthenticator(baseAddress: string): {
    is(username: string, id: string): boolean
    set(username: string, id: string): void
  } {
    return {
      is: (...of) => this.#authenticators.get(baseAddress) === markOf(of),
      set: (...of) => {
        const authenticators = this.#authenticators
        const mark = markOf(of)
        if (authenticators.get(baseAddress) !== mark) this.#setAuthenticators(authenticators.set(baseAddress, mark))
      },
    }
  }

  /** Call this when the connection is removed or gets another address. */
  #deleteAuthenticator(baseAddress: string | undefined): void {
    const authenticators = this.#authenticators
    if (baseAddress !== undefined && authenticators.delete(baseAddress)) this.#setAuthenticators(authenticators)
  }

  get #authenticators(): Map<string, string> {
    return new Map(Object.entries(v.parse(authenticatorsSchema, this.#store.get(AUTHENTICATORS_KEY))))
  }

  #setAuthenticators(authenticators: ReadonlyMap<string, string>): void {
    // If this fails, the next sign-in merely doesn't preselect this authenticator.
    this.#write(AUTHENTICATORS_KEY, Object.fromEntries(authenticators))
  }

  /** True if this provider gives a refresh token only to people who have just been asked for consent. */
  needsConsent(issuer: string): boolean {
    return this.#consents.includes(issuer)
  }

  rememberConsent(issuer: string): void {
    // A full disk must not prevent this sign-in. The next one then also opens the provider's page a second time.
    if (!this.needsConsent(issuer)) this.#write(CONSENTS_KEY, [...this.#consents, issuer])
  }

  get #consents(): readonly string[] {
    return v.parse(consentsSchema, this.#store.get(CONSENTS_KEY))
  }

  lengthsAt(issuer: string): readonly number[] {
    return this.#lengths.get(issuer) ?? []
  }

  addLength(issuer: string, length: number): void {
    const lengths = this.#lengths.set(issuer, [...this.lengthsAt(issuer), Math.round(length)].slice(-LENGTHS_KEPT))
    // If the write fails, Latchkey needs one more session to know how long sessions usually last.
    this.#write(LENGTHS_KEY, Object.fromEntries(lengths))
  }

  get #lengths(): Map<string, readonly number[]> {
    return new Map(Object.entries(v.parse(lengthsSchema, this.#store.get(LENGTHS_KEY))))
  }

  /** The markers are one value, because electron-store splits a key at its dots, and an address has dots. */
  get markers(): Readonly<Record<string, Marker>> {
    const stored = Object.entries(v.parse(markersSchema, this.#store.get('markers')))
    return Object.fromEntries(stored.flatMap(([name, mark]) => (v.is(markerSchema, mark) ? [[name, mark]] : [])))
  }

  get(name: string): Marker | undefined {
    return this.markers[name]
  }

  set(name: string, marker: Marker): boolean {
    return this.get(name) === marker || this.#write('markers', { ...this.markers, [name]: marker })
  }

  clear(name: string): boolean {
    const { [name]: present, ...rest } = this.markers
    return present === undefined || this.#write('markers', rest)
  }
}
