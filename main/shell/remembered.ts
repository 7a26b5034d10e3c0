import type { KeyValueStore } from '../key-value-store.ts'
/** One value among the user's settings. What is read may be anything. */
export interface Remembered<T> {
  get(): unknown
  set(value: T): void
}

export const remembered = <T>(store: KeyValueStore, key: string): Remembered<T> => ({
  get: () => store.get(key),
  set: (value) => store.set(key, value),
})
