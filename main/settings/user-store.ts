import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import type { SettingsProblem } from './layer.ts'

interface OpenedStore<Store> {
  readonly store: Store
  readonly problems: readonly SettingsProblem[]
}

/**
 * The user's settings file. A damaged one is set aside, and said so; it is never deleted.
 * @param open reads the file, or begins a new one; throws where it is damaged.
 * @param now milliseconds since the epoch: part of the name of what is set aside.
 */
export function openUserStore<Store>(file: string, open: () => Store, now: number): OpenedStore<Store> {
  try {
    return { store: open(), problems: [] }
  } catch (error) {
    if (!existsSync(file)) throw error
    const aside = path.join(path.dirname(file), `config.damaged-${now}.json`)
    renameSync(file, aside)
    return { store: open(), problems: [{ source: 'user', where: aside, problem: 'damaged' }] }
  }
}
