import { existsSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { KeyValueStore } from '../key-value-store.ts'
import type { SettingsProblem } from './problems.ts'

interface OpenedStore {
  readonly store: KeyValueStore
  readonly problems: readonly SettingsProblem[]
}

/**
 * Opens the user's settings file. A damaged one is set aside and reported, never deleted.
 * @param open reads the file, or begins a new one; throws if it is damaged.
 * @param now milliseconds since the epoch, for the name of a file that is set aside.
 */
export function openUserStore(file: string, open: () => KeyValueStore, now: number): OpenedStore {
  try {
    if (readUserStore(file).problems.length > 0) throw new Error('damaged')
    return { store: open(), problems: [] }
  } catch (error) {
    if (!existsSync(file)) throw error
    const aside = path.join(path.dirname(file), `config.damaged-${now}.json`)
    renameSync(file, aside)
    return { store: open(), problems: [{ source: 'user', where: aside, problem: 'damaged' }] }
  }
}

/** The deepest nesting that is accepted. No setting is that deep. */
const DEEPEST = 16

/**
 * SECURITY: JSON.parse reads any depth, but JSON.stringify fails on deep values, and then no setting could be changed.
 */
const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))

const content = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !isDeeperThan(DEEPEST, value)),
  v.record(v.string(), v.unknown()),
)

/** Reads the same file for diagnostics, which must not write, so `set` does nothing. */
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
