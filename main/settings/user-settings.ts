import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { Marker, StoredMarker } from '../session/ports.ts'
import { type Layer, readLayer, type SettingsProblem } from './layer.ts'

/** The part of electron-store that is used; it writes at once and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

const markersSchema = v.fallback(v.record(v.string(), v.picklist(['stored', 'leaving'])), {})

/** The user's own settings: the connection, and what is remembered of the keychain. Never a secret. */
export class UserSettings implements StoredMarker {
  readonly #store: KeyValueStore

  constructor(store: KeyValueStore) {
    this.#store = store
  }

  layer(): { readonly layer: Layer; readonly problems: readonly SettingsProblem[] } {
    const connection = this.#store.get('connection')
    if (typeof connection !== 'object' || connection === null) return { layer: {}, problems: [] }
    // A secret in this file would not have been put there by this program; it isn't taken.
    return readLayer('user', { ...connection, clientSecret: undefined })
  }

  /** Keeps these values and no others, all at once. */
  save({ clientSecret: _, ...values }: Layer): void {
    if (!isDeepStrictEqual(this.#store.get('connection') ?? {}, values)) this.#store.set('connection', values)
  }

  /** Whether tools get tokens, where the user has said so. */
  get agent(): boolean | undefined {
    const enabled = this.#store.get('agent')
    return typeof enabled === 'boolean' ? enabled : undefined
  }

  set agent(enabled: boolean) {
    if (this.agent !== enabled) this.#store.set('agent', enabled)
  }

  get(name: string): Marker | undefined {
    return this.#markers()[name]
  }

  set(name: string, marker: Marker): void {
    if (this.get(name) !== marker) this.#store.set('markers', { ...this.#markers(), [name]: marker })
  }

  clear(name: string): void {
    const { [name]: present, ...rest } = this.#markers()
    if (present !== undefined) this.#store.set('markers', rest)
  }

  // An address has dots, which electron-store would take for a path: the markers are one value.
  #markers(): Record<string, Marker> {
    return v.parse(markersSchema, this.#store.get('markers'))
  }
}
