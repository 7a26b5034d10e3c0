import { existsSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { SettingsProblem } from './layer.ts'
import type { KeyValueStore } from './user-settings.ts'

interface OpenedStore {
  readonly store: KeyValueStore
  readonly problems: readonly SettingsProblem[]
}

/**
 * The user's settings file. One that is well is read at once, and opened when something is set: electron-store takes its
 * time. A damaged one is set aside, and said so; it is never deleted.
 * @param open reads the file, or begins a new one; throws where it is damaged.
 * @param now milliseconds since the epoch: part of the name of what is set aside.
 */
export function openUserStore(file: string, open: () => KeyValueStore, now: number): OpenedStore {
  const { store: read, problems } = readUserStore(file)
  if (problems.length > 0 || !existsSync(file)) return openAnew(file, open, now)
  let opened: KeyValueStore | undefined
  const store: KeyValueStore = {
    get: (key) => (opened ?? read).get(key),
    set(key, value) {
      opened ??= open()
      opened.set(key, value)
    },
  }
  return { store, problems: [] }
}

function openAnew(file: string, open: () => KeyValueStore, now: number): OpenedStore {
  try {
    return { store: open(), problems: [] }
  } catch (error) {
    if (!existsSync(file)) throw error
    const aside = path.join(path.dirname(file), `config.damaged-${now}.json`)
    renameSync(file, aside)
    return { store: open(), problems: [{ source: 'user', where: aside, problem: 'damaged' }] }
  }
}

/**
 * The same store with each value read once until something is set: electron-store reads its file for every question. What a
 * person wrote into it meanwhile counts from then on, or from the next start.
 */
export function readOnce(store: KeyValueStore): KeyValueStore {
  const known = new Map<string, unknown>()
  return {
    get(key) {
      if (!known.has(key)) known.set(key, store.get(key))
      return known.get(key)
    },
    set(key, value) {
      known.clear()
      store.set(key, value)
    },
  }
}

const content = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/** The same file, looked at by somebody who changes nothing: what is set is forgotten. */
export function readUserStore(file: string): OpenedStore {
  const nothing = { get: () => undefined, set: () => {} }
  if (!existsSync(file)) return { store: nothing, problems: [] }
  try {
    const values = new Map(Object.entries(v.parse(content, readFileSync(file, 'utf8'))))
    return { store: { ...nothing, get: (key) => values.get(key) }, problems: [] }
  } catch {
    return { store: nothing, problems: [{ source: 'user', where: file, problem: 'damaged' }] }
  }
}
