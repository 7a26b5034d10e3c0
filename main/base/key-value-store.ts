/** The part of electron-store that Latchkey uses. It writes synchronously and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  /** Throws if the file can't be written. */
  set(key: string, value: unknown): void
}

/**
 * One value in the user's settings file, read anew by each `get`. If the file can't be written, for example on a full
 * disk, the new value stays in memory until the app ends.
 */
export interface Remembered<T> {
  get(): unknown
  set(value: T): void
}

export function remembered<T>(store: KeyValueStore, key: string): Remembered<T> {
  let unwritten: { readonly value: T } | undefined
  return {
    get: () => (unwritten === undefined ? store.get(key) : unwritten.value),
    set(value) {
      unwritten = { value }
      try {
        store.set(key, value)
        unwritten = undefined
      } catch {}
    },
  }
}
