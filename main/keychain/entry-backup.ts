import type { Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import type { EntryText } from '../base/secret.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'

type Store = Pick<SecretStore, 'read' | 'write' | 'delete'>

const RETRY_MS = 60_000

/** Remembers the entries that were read or written, so that lost ones can be written again. */
export class EntryBackup implements Store {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #entries = new Map<string, EntryText>()
  #cancelRetry = (): void => {}

  constructor(store: Store, clock: Pick<Clock, 'now' | 'at'>) {
    this.#store = store
    this.#clock = clock
  }

  async read(name: string): Promise<ReadResult> {
    const result = await this.#store.read(name)
    if (result.kind === 'found') this.#entries.set(name, result.value)
    return result
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    // While the new value is being written, `verify` must not write the old one again.
    this.#entries.delete(name)
    const written = await this.#store.write(name, value)
    if (written.ok) this.#entries.set(name, value)
    return written
  }

  async delete(name: string): Promise<Outcome> {
    this.#entries.delete(name)
    const deleted = await this.#store.delete(name)
    // A write that was pending when `delete` was called may have remembered the entry again.
    this.#entries.delete(name)
    return deleted
  }

  /** Writes missing entries again. If the keychain is locked or fails, tries again later. */
  async verify(): Promise<void> {
    this.#cancelRetry()
    const verified = await Promise.all([...this.#entries].map(([name, value]) => this.#verify(name, value)))
    this.#cancelRetry()
    if (verified.includes(false)) {
      this.#cancelRetry = this.#clock.at(this.#clock.now() + RETRY_MS, () => void this.verify())
    }
  }

  async #verify(name: string, value: EntryText): Promise<boolean> {
    const { kind } = await this.#store.read(name)
    if (kind !== 'missing') return kind === 'found'
    return this.#entries.get(name) !== value || (await this.#store.write(name, value)).ok
  }
}
