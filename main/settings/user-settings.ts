import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { CONNECTION_NAME, DEFAULT_CONNECTION } from '../../preload/contract.ts'
import type { Marker, StoredMarker } from '../session/ports.ts'
import { type Layer, readLayer, type SettingsProblem } from './layer.ts'

/** The part of electron-store that is used; it writes at once and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

const markersSchema = v.fallback(v.record(v.string(), v.picklist(['stored', 'leaving'])), {})

/** The user's own settings: the connections, and what is remembered of the keychain. Never a secret. */
export class UserSettings implements StoredMarker {
  readonly #store: KeyValueStore

  constructor(store: KeyValueStore) {
    this.#store = store
  }

  /** The connections beside the default one that the user has given values to, in the order of their making. */
  get names(): readonly string[] {
    return [...this.#connections().keys()].filter((name) => CONNECTION_NAME.test(name) && name !== DEFAULT_CONNECTION)
  }

  layer(name: string): { readonly layer: Layer; readonly problems: readonly SettingsProblem[] } {
    const values = this.#values(name)
    if (typeof values !== 'object' || values === null) return { layer: {}, problems: [] }
    // A secret in this file would not have been put there by this program; it isn't taken.
    return readLayer('user', { ...values, clientSecret: undefined })
  }

  /** Keeps these values of a connection and no others, all at once. */
  save(name: string, { clientSecret: _, ...values }: Layer): void {
    if (isDeepStrictEqual(this.#values(name) ?? {}, values)) return
    if (name === DEFAULT_CONNECTION) this.#store.set('connection', values)
    else this.#setConnections(this.#connections().set(name, values))
  }

  /** Forgets a connection beside the default one. */
  remove(name: string): void {
    const connections = this.#connections()
    if (connections.delete(name)) this.#setConnections(connections)
  }

  #values(name: string): unknown {
    return name === DEFAULT_CONNECTION ? this.#store.get('connection') : this.#connections().get(name)
  }

  /** SECURITY: a map, because an object has keys that nobody stored (`constructor`). */
  #connections(): Map<string, unknown> {
    const stored = this.#store.get('connections')
    return new Map(
      typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? Object.entries(stored) : [],
    )
  }

  #setConnections(connections: ReadonlyMap<string, unknown>): void {
    this.#store.set('connections', Object.fromEntries(connections))
  }

  /** Whether tools get tokens, where the user has said so. */
  get agent(): boolean | undefined {
    const enabled = this.#store.get('agent')
    return typeof enabled === 'boolean' ? enabled : undefined
  }

  set agent(enabled: boolean) {
    if (this.agent !== enabled) this.#store.set('agent', enabled)
  }

  /** What is remembered of each entry of the keychain. One value: electron-store would take an address's dots for a path. */
  get markers(): Readonly<Record<string, Marker>> {
    return v.parse(markersSchema, this.#store.get('markers'))
  }

  get(name: string): Marker | undefined {
    return this.markers[name]
  }

  set(name: string, marker: Marker): void {
    if (this.get(name) !== marker) this.#store.set('markers', { ...this.markers, [name]: marker })
  }

  clear(name: string): void {
    const { [name]: present, ...rest } = this.markers
    if (present !== undefined) this.#store.set('markers', rest)
  }
}
