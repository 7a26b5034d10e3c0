import type { Kept } from '../../preload/contract.ts'
import { readSessionEntry, type SessionEntry, sessionEntryName, writeSessionEntry } from './entry.ts'
import type { Clock, Random, SecretStore, StoredMarker } from './ports.ts'
import { backoff, CAP_WHILE_SERVING } from './schedule.ts'

export type Stored =
  | { readonly kind: 'session'; readonly entry: SessionEntry }
  /** The user signed out of it, and the entry outlived that. */
  | { readonly kind: 'leaving'; readonly entry: SessionEntry }
  | { readonly kind: 'nothing' }
  /** There may be a session, but the keychain doesn't give it: ask, keep, try again. */
  | { readonly kind: 'locked' }

interface VaultPorts {
  readonly name: string
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  /** Called when a write that had failed has been made good. */
  readonly onKept: (kept: Kept) => void
}

/**
 * Keeps one connection's session in the SecretStore: it remembers what should stand there, and tries until it
 * does. A read error never deletes; the marker goes before the entry when storing and after it when deleting.
 */
export class Vault {
  readonly #ports: VaultPorts
  readonly #entryName: string
  /** What should stand in the store; absent while whatever stands there is right. */
  #wanted: SessionEntry | 'nothing' | undefined
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(ports: VaultPorts) {
    this.#ports = ports
    this.#entryName = sessionEntryName(ports.name)
  }

  async read(): Promise<Stored> {
    const { store, marker, name } = this.#ports
    let result = await store.read(this.#entryName)
    // The keychain may have been unlocked between the read and the question whether it is locked.
    if (result.kind === 'missing' && marker.get(name) !== undefined) result = await store.read(this.#entryName)
    const mark = marker.get(name)
    switch (result.kind) {
      case 'found': {
        const entry = readSessionEntry(result.value)
        // Not ours to delete: perhaps a newer version wrote it. The next sign-in replaces it.
        if (entry === undefined) return { kind: 'nothing' }
        return { kind: mark === 'leaving' ? 'leaving' : 'session', entry }
      }
      case 'missing':
        if (mark === 'leaving' && store.persistence === 'keychain') marker.clear(name)
        return { kind: mark === 'stored' ? 'locked' : 'nothing' }
      case 'locked':
        return { kind: 'locked' }
      case 'unavailable':
        return { kind: mark === undefined ? 'nothing' : 'locked' }
    }
  }

  /** Writes the session; answers where it is kept once the first attempt is over. */
  async keep(entry: SessionEntry): Promise<Kept> {
    this.#wanted = entry
    this.#mark('stored')
    await this.#attempt()
    if (this.#ports.store.persistence === 'memory') return 'memory'
    return this.#wanted === undefined ? 'keychain' : 'unwritten'
  }

  /** The user signed out: from this call on the entry is never restored, however long it still stands. */
  leave(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#wanted = undefined
    this.#mark('leaving')
  }

  /** Deletes the entry of a session that was left. */
  async forget(): Promise<void> {
    this.#wanted = 'nothing'
    await this.#attempt()
  }

  /** Tries at once what has been waiting. */
  wake(): void {
    if (this.#wanted !== undefined && this.#cancelRetry !== undefined) void this.#attempt()
  }

  /** Stops trying; resolves when the attempt under way is over. */
  async stop(): Promise<void> {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    await this.#running
  }

  #mark(mark: 'stored' | 'leaving'): void {
    // A session in memory leaves no mark, and takes away none: a keychain may hold one from before.
    if (this.#ports.store.persistence === 'keychain') this.#ports.marker.set(this.#ports.name, mark)
  }

  #attempt(): Promise<void> {
    const attempt = this.#attemptOnce()
    this.#running = attempt
    return attempt
  }

  async #attemptOnce(): Promise<void> {
    const { store, marker, name, clock, random, onKept } = this.#ports
    const wanted = this.#wanted
    if (wanted === undefined) return
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    const outcome =
      wanted === 'nothing'
        ? await store.delete(this.#entryName)
        : await store.write(this.#entryName, writeSessionEntry(wanted))
    // Something newer is wanted: its own attempt answers for it.
    if (this.#wanted !== wanted) return
    if (outcome.ok) {
      const late = this.#attempts > 0
      this.#wanted = undefined
      this.#attempts = 0
      if (wanted === 'nothing') {
        if (store.persistence === 'keychain') marker.clear(name)
      } else if (late) onKept(store.persistence)
      return
    }
    this.#attempts += 1
    const retryAt = clock.now() + backoff(this.#attempts, CAP_WHILE_SERVING, random)
    this.#cancelRetry = clock.at(retryAt, () => void this.#attempt())
  }
}
