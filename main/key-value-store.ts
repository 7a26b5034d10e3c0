/** The part of electron-store that is used; it writes at once and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

/** One value among the user's settings. What is read may be anything. */
export interface Remembered<T> {
  get(): unknown
  set(value: T): void
}

export const remembered = <T>(store: KeyValueStore, key: string): Remembered<T> => ({
  get: () => store.get(key),
  set: (value) => store.set(key, value),
})
