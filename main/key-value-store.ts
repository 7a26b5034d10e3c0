/** The part of electron-store that is used; it writes at once and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  set(key: string, value: unknown): void
}
