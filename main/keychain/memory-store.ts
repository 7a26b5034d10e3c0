import { OK, type Outcome } from '../../contract/failures.ts'
import type { EntryText } from '../base/secret.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { unavailable, whyUnstorable } from './storable.ts'

/** A SecretStore in memory, used if there is no keychain. It refuses the same values as keytar. */
export class MemoryStore implements SecretStore {
  readonly persistence = 'memory'
  readonly #entries = new Map<string, EntryText>()

  /** A copy of all entries. */
  get held(): ReadonlyMap<string, EntryText> {
    return this.#entries
  }

  async read(name: string): Promise<ReadResult> {
    const refusal = whyUnstorable(name)
    if (refusal !== undefined) return { kind: 'unavailable', cause: `name: ${refusal}` }
    const value = this.#entries.get(name)
    return value === undefined ? { kind: 'missing' } : { kind: 'found', value }
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    const refusal = whyUnstorable(name) ?? whyUnstorable(value.reveal())
    if (refusal !== undefined) return unavailable('keychainWrite', refusal)
    this.#entries.set(name, value)
    return OK
  }

  async delete(name: string): Promise<Outcome> {
    const refusal = whyUnstorable(name)
    if (refusal !== undefined) return unavailable('keychainDelete', refusal)
    this.#entries.delete(name)
    return OK
  }
}
