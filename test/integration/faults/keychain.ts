import type { Outcome } from '../../../contract/failures.ts'
import type { EntryText } from '../../../main/base/secret.ts'
import { MemoryStore } from '../../../main/keychain/fallback-store.ts'
import { type EntryContent, entryName, readEntry } from '../../../main/session/entry.ts'
import type { ReadResult, SecretStore } from '../../../main/session/ports.ts'

/** A keychain that always works, and keeps its entries when a copy of the app ends. */
export class Keychain implements SecretStore {
  readonly persistence = 'keychain'
  readonly #entries = new MemoryStore()

  read(name: string): Promise<ReadResult> {
    return this.#entries.read(name)
  }

  write(name: string, value: EntryText): Promise<Outcome> {
    return this.#entries.write(name, value)
  }

  delete(name: string): Promise<Outcome> {
    return this.#entries.delete(name)
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
