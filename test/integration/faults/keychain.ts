import { MemoryStore } from '../../../main/keychain/fallback-store.ts'
import { type EntryContent, entryName, readEntry } from '../../../main/session/entry.ts'
import type { SecretStore } from '../../../main/session/ports.ts'

/** A keychain that always works, and keeps its entries when an instance of the app ends. */
export class Keychain {
  readonly #entries = new MemoryStore()
  readonly store: SecretStore = {
    persistence: 'keychain',
    read: (name) => this.#entries.read(name),
    write: (name, value) => this.#entries.write(name, value),
    delete: (name) => this.#entries.delete(name),
  }

  get size(): number {
    return this.#entries.held.size
  }

  entryOf(address: string, installation: string): EntryContent | undefined {
    const text = this.#entries.held.get(entryName(address, installation))
    const read = text && readEntry(text)
    return read?.kind === 'entry' ? read.entry : undefined
  }
}
