/** The part of electron-store that Latchkey uses. It writes synchronously and atomically. */
export interface KeyValueStore {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

/** One stored value of the user's settings. The value is untrusted and may be anything. */
export interface Remembered<T> {
  get(): unknown
  set(value: T): void
}

export const remembered = <T>(store: KeyValueStore, key: string): Remembered<T> => ({
  get: () => store.get(key),
  set: (value) => store.set(key, value),
})
