import type { Outcome } from '../../contract/failures.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import type { EntryText } from '../session/secret.ts'
import { MemoryStore } from './memory-store.ts'

/**
 * Memory for as long as there is no keychain; the keychain once there is one. A Secret Service may come after
 * the app when both start with the desktop. Each call looks for it; what was held in memory moves over then, and
 * what was deleted meanwhile is deleted there.
 *
 * Each call leaves memory as it is wanted before it asks the keychain, so that a move by another call, which
 * reads memory and asks the keychain in one step, can never bring back an older value.
 *
 * `onMoving` is told the name of each entry just before it is written to the keychain in such a move, and once
 * nothing stands there under that name.
 */
export class LateStore implements SecretStore {
  readonly #findKeychain: () => Promise<SecretStore | undefined>
  readonly #onMoving: (name: string) => void
  readonly #memory = new MemoryStore()
  /** Deleted while no keychain was there to delete it from. */
  readonly #gone = new Set<string>()
  #keychain: SecretStore | undefined
  #moving: Promise<SecretStore | undefined> | undefined

  constructor(findKeychain: () => Promise<SecretStore | undefined>, onMoving: (name: string) => void = () => {}) {
    this.#findKeychain = findKeychain
    this.#onMoving = onMoving
  }

  /** `keychain` once nothing is held in memory any more. */
  get persistence(): SecretStore['persistence'] {
    return this.#keychain !== undefined && this.#memory.held.size === 0 ? 'keychain' : 'memory'
  }

  async read(name: string): Promise<ReadResult> {
    const keychain = await this.#move()
    if (keychain === undefined || this.#memory.held.has(name) || this.#gone.has(name)) return this.#memory.read(name)
    return keychain.read(name)
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    const keychain = await this.#move()
    this.#gone.delete(name)
    if (keychain === undefined) return this.#memory.write(name, value)
    if (this.#memory.held.has(name)) void this.#memory.write(name, value)
    return this.#writeTo(keychain, name, value)
  }

  async delete(name: string): Promise<Outcome> {
    const keychain = await this.#move()
    const forgotten = this.#memory.delete(name)
    if (keychain !== undefined) return this.#deleteFrom(keychain, name)
    this.#gone.add(name)
    return forgotten
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
    const deleting = [...this.#gone].map((name) => this.#deleteFrom(keychain, name))
    const writing = [...this.#memory.held.keys()].map((name) => this.#moveTo(keychain, name))
    await Promise.all([...deleting, ...writing])
    return keychain
  }

  async #moveTo(keychain: SecretStore, name: string): Promise<void> {
    const { ok } = await keychain.delete(name)
    const value = this.#memory.held.get(name)
    if (!ok || value === undefined) return
    this.#onMoving(name)
    await this.#writeTo(keychain, name, value)
  }

  async #writeTo(keychain: SecretStore, name: string, value: EntryText): Promise<Outcome> {
    const outcome = await keychain.write(name, value)
    if (outcome.ok && this.#memory.held.get(name) === value) void this.#memory.delete(name)
    return outcome
  }

  async #deleteFrom(keychain: SecretStore, name: string): Promise<Outcome> {
    const outcome = await keychain.delete(name)
    if (outcome.ok) this.#gone.delete(name)
    return outcome
  }
}
