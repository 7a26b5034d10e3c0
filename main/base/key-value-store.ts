/** The part of electron-store that Latchkey uses. It writes synchronously and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  /** Stores a value. Throws if the file can't be written. */
  set(key: string, value: unknown): void
}

/**
 * One value in the user's settings file, parsed on each read. If the file can't be written, a new value lasts until the
 * app ends: a full disk must not make a sign-in fail.
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
