import { OK, type Outcome } from '../../contract/failures.ts'
import type { EntryText } from '../base/secret.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { keychainFailure, storageProblem } from './keytar-store.ts'

/** Keeps entries in memory. It refuses the values that keytar refuses, because keytar may get the entries later. */
export class MemoryStore implements SecretStore {
  readonly persistence = 'memory'
  readonly #entries = new Map<string, EntryText>()

  get held(): ReadonlyMap<string, EntryText> {
    return this.#entries
  }

  async read(name: string): Promise<ReadResult> {
    const refusal = storageProblem(name)
    if (refusal !== undefined) return { kind: 'unavailable', cause: `name: ${refusal}` }
    const value = this.#entries.get(name)
    return value === undefined ? { kind: 'missing' } : { kind: 'found', value }
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    const refusal = storageProblem(name) ?? storageProblem(value.reveal())
    if (refusal !== undefined) return keychainFailure('keychainWrite', refusal)
    this.#entries.set(name, value)
    return OK
  }

  async delete(name: string): Promise<Outcome> {
    const refusal = storageProblem(name)
    if (refusal !== undefined) return keychainFailure('keychainDelete', refusal)
    this.#entries.delete(name)
    return OK
  }
}

/**
 * Keeps entries in memory until there is a keychain, and then moves them there. Each call looks for a keychain, because
 * a Secret Service may start after the app. A session's entry isn't moved, because a session must read its entry in the
 * keychain before it changes the entry.
 */
export class FallbackStore implements SecretStore {
  readonly #findKeychain: () => Promise<SecretStore | undefined>
  readonly #isSessionEntry: (name: string) => boolean
  readonly #memory = new MemoryStore()
  /** Entries that were deleted while there was no keychain, and that the keychain may still have. */
  readonly #deleted = new Set<string>()
  readonly #read = new Set<string>()
  #keychain: SecretStore | undefined
  #moving: Promise<SecretStore | undefined> | undefined

  constructor(
    findKeychain: () => Promise<SecretStore | undefined>,
    isSessionEntry: (name: string) => boolean = () => false,
  ) {
    this.#findKeychain = findKeychain
    this.#isSessionEntry = isSessionEntry
  }

  get persistence(): SecretStore['persistence'] {
    return this.#keychain !== undefined && this.#memory.held.size === 0 ? 'keychain' : 'memory'
  }

  async read(name: string): Promise<ReadResult> {
    const keychain = await this.#move()
    if (keychain === undefined || this.#memory.held.has(name) || this.#deleted.has(name)) return this.#memory.read(name)
    const result = await keychain.read(name)
    if (result.kind === 'found' || result.kind === 'missing') this.#read.add(name)
    return result
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    const keychain = await this.#move()
    if (keychain !== undefined && this.#isUnread(name)) return MUST_BE_READ_FIRST
    this.#deleted.delete(name)
    if (keychain === undefined) return this.#memory.write(name, value)
    if (this.#memory.held.has(name)) void this.#memory.write(name, value)
    return this.#writeTo(keychain, name, value)
  }

  async delete(name: string): Promise<Outcome> {
    const keychain = await this.#move()
    if (keychain !== undefined && this.#isUnread(name)) return MUST_BE_READ_FIRST
    const forgotten = this.#memory.delete(name)
    if (keychain !== undefined) return this.#deleteFrom(keychain, name)
    if (!this.#isSessionEntry(name)) this.#deleted.add(name)
    return forgotten
  }

  #isUnread(name: string): boolean {
    return this.#isSessionEntry(name) && !this.#read.has(name)
  }

  #move(): Promise<SecretStore | undefined> {
    this.#moving ??= this.#moveOnce().finally(() => {
      this.#moving = undefined
    })
    return this.#moving
  }

  async #moveOnce(): Promise<SecretStore | undefined> {
    this.#keychain ??= await this.#findKeychain()
    const keychain = this.#keychain
    if (keychain === undefined) return undefined
    for (const name of [...this.#memory.held.keys()].filter(this.#isSessionEntry)) void this.#memory.delete(name)
    const deleting = [...this.#deleted].map((name) => this.#deleteFrom(keychain, name))
    const writing = [...this.#memory.held.keys()].map((name) => this.#moveTo(keychain, name))
    await Promise.all([...deleting, ...writing])
    return keychain
  }

  async #moveTo(keychain: SecretStore, name: string): Promise<void> {
    const { ok } = await keychain.delete(name)
    const value = this.#memory.held.get(name)
    if (!ok || value === undefined) return
    await this.#writeTo(keychain, name, value)
  }

  async #writeTo(keychain: SecretStore, name: string, value: EntryText): Promise<Outcome> {
    const outcome = await keychain.write(name, value)
    if (outcome.ok && this.#memory.held.get(name) === value) void this.#memory.delete(name)
    return outcome
  }

  async #deleteFrom(keychain: SecretStore, name: string): Promise<Outcome> {
    const outcome = await keychain.delete(name)
    if (outcome.ok) this.#deleted.delete(name)
    return outcome
  }
}

const MUST_BE_READ_FIRST = keychainFailure('keychainWrite', 'the keychain has just appeared and must be read first')
