import type { Kept } from '../../preload/contract.ts'
import { readSessionEntry, type SessionEntry, sessionEntryName, writeSessionEntry } from './entry.ts'
import type { Clock, Marker, Random, SecretStore, StoredMarker } from './ports.ts'
import { backoff, CAP_WHILE_SERVING } from './schedule.ts'
import type { RefreshToken } from './secret.ts'

export type Stored =
  | { readonly kind: 'session'; readonly entry: SessionEntry }
  /** The user signed out, and the entry may have outlived that: to be forgotten, never restored. */
  | { readonly kind: 'leaving' }
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
  /** Takes an entry that is about to go and that nobody here has held: its token has yet to be revoked. */
  readonly onLeft: (entry: SessionEntry) => Promise<void>
  /** Whether the tokens of what was left are safe elsewhere, so that the entry may go. */
  readonly mayForget: () => boolean
  readonly onForgotten: () => void
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
  /** Whether it is known what stands in the store. What isn't is read before it is replaced. */
  #known = false
  /** The tokens of this session that may stand in the store. */
  #ours: readonly RefreshToken[] = []
  /** The same of those that were left: whoever held them sees to their end. */
  #left: readonly RefreshToken[] = []
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #running: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(ports: VaultPorts) {
    this.#ports = ports
    this.#entryName = sessionEntryName(ports.name)
  }

  /** Where what was given to `keep` is now. */
  get kept(): Kept {
    const { persistence } = this.#ports.store
    return persistence === 'keychain' && this.#wanted !== undefined ? 'unwritten' : persistence
  }

  async read(): Promise<Stored> {
    const { store, marker, name } = this.#ports
    let result = await store.read(this.#entryName)
    // The keychain may have been unlocked between the read and the question whether it is locked.
    if (result.kind === 'missing' && marker.get(name) !== undefined) result = await store.read(this.#entryName)
    const mark = marker.get(name)
    switch (result.kind) {
      case 'found':
        return mark === 'leaving' ? { kind: 'leaving' } : found(readSessionEntry(result.value))
      case 'missing':
        return mark === 'stored' ? { kind: 'locked' } : { kind: 'nothing' }
      // The marker goes before the entry: without one there is none to wait for.
      case 'locked':
      case 'unavailable':
        return { kind: mark === undefined ? 'nothing' : mark === 'stored' ? 'locked' : 'leaving' }
    }
  }

  /** Takes note that what `read` found is held now: who holds it sees to its end. */
  take(refreshToken: RefreshToken): void {
    this.#known = true
    this.#ours = [...this.#ours, refreshToken]
  }

  /** Writes the session; answers where it is kept once the first attempt is over. */
  async keep(entry: SessionEntry): Promise<Kept> {
    this.#ours = [...this.#ours, entry.refreshToken]
    await this.#want(entry)
    return this.kept
  }

  /** The user signed out: from this call on the entry is never restored, however long it still stands. */
  leave(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#wanted = undefined
    this.disown()
  }

  /** The same for what stands in the store alone: what was given to `keep` takes its place as soon as it can. */
  disown(): void {
    const wanted = this.#wanted === undefined || this.#wanted === 'nothing' ? undefined : this.#wanted.refreshToken
    this.#left = [...this.#left, ...this.#ours.filter((token) => token !== wanted)]
    this.#ours = wanted === undefined ? [] : [wanted]
    this.#known = false
    const { store, marker, name } = this.#ports
    // A session in memory leaves no mark of its own, but a keychain that is away may hold one from before.
    if (store.persistence === 'keychain' || marker.get(name) === 'stored') marker.set(name, 'leaving')
  }

  /** Deletes the entry of a session that was left, once its token is safe; resolves after the first attempt. */
  async forget(): Promise<void> {
    await this.#want('nothing')
  }

  /** Tries at once what has been waiting. */
  wake(): void {
    if (this.#cancelRetry !== undefined) void this.#attempt()
  }

  /** Tries what has been waiting for a last time; resolves when that is over. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.wake()
    await this.#running
  }

  #want(wanted: SessionEntry | 'nothing'): Promise<void> {
    this.#wanted = wanted
    this.#attempts = 0
    return this.#attempt()
  }

  #attempt(): Promise<void> {
    const attempt = this.#attemptOnce()
    this.#running = attempt
    return attempt
  }

  async #attemptOnce(): Promise<void> {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    const wanted = this.#wanted
    if (wanted === undefined) return
    const done = wanted === 'nothing' ? await this.#delete() : await this.#write(wanted)
    // Something newer is wanted: its own attempt answers for it.
    if (this.#wanted !== wanted) return
    if (done) {
      this.#settled(wanted)
      return
    }
    this.#attempts += 1
    if (!this.#stopped) this.#retryLater()
  }

  #retryLater(): void {
    const { clock, random } = this.#ports
    this.#cancelRetry?.()
    const retryAt = clock.now() + backoff(this.#attempts, CAP_WHILE_SERVING, random)
    this.#cancelRetry = clock.at(retryAt, () => void this.#attempt())
  }

  #settled(wanted: SessionEntry | 'nothing'): void {
    const { store, marker, name, onKept, onForgotten } = this.#ports
    const hadFailed = this.#attempts > 0
    this.#wanted = undefined
    this.#known = true
    this.#attempts = 0
    this.#left = []
    if (wanted === 'nothing') {
      this.#ours = []
      if (store.persistence === 'keychain') marker.clear(name)
      onForgotten()
    } else {
      this.#ours = [wanted.refreshToken]
      this.#mark('stored')
      if (hadFailed) onKept(store.persistence)
    }
  }

  async #write(entry: SessionEntry): Promise<boolean> {
    const { store, marker, name } = this.#ports
    const isLeft = store.persistence === 'keychain' && marker.get(name) === 'leaving'
    const there = this.#known ? 'ours' : await this.#look()
    if (this.#wanted !== entry || (isLeft && there === 'unread')) return false
    // Were the marker set while the left one stands, a crash right after would bring it back.
    if (isLeft && there !== 'ours') {
      const deleted = await store.delete(this.#entryName)
      if (!deleted.ok || this.#wanted !== entry) return false
    }
    this.#mark('stored')
    return (await store.write(this.#entryName, writeSessionEntry(entry))).ok
  }

  async #delete(): Promise<boolean> {
    const { store, mayForget } = this.#ports
    if (!this.#known && (await this.#look()) === 'unread') return false
    if (this.#wanted !== 'nothing' || !mayForget()) return false
    return (await store.delete(this.#entryName)).ok
  }

  /** Reads what is about to go, and hands over what nobody here has held. */
  async #look(): Promise<'unread' | 'ours' | 'notOurs'> {
    const { store, onLeft } = this.#ports
    const result = await store.read(this.#entryName)
    if (result.kind === 'locked' || result.kind === 'unavailable') return 'unread'
    const entry = result.kind === 'found' ? readSessionEntry(result.value) : undefined
    if (entry === undefined) return 'notOurs'
    const isIn = (tokens: readonly RefreshToken[]) => tokens.some((token) => token.equals(entry.refreshToken))
    if (isIn(this.#ours)) return 'ours'
    if (!isIn(this.#left)) await onLeft(entry)
    return 'notOurs'
  }

  #mark(mark: Marker): void {
    const { store, marker, name } = this.#ports
    if (store.persistence === 'keychain') marker.set(name, mark)
  }
}

/** What can't be read is not ours to delete: perhaps a newer version wrote it. The next sign-in replaces it. */
function found(entry: SessionEntry | undefined): Stored {
  return entry === undefined ? { kind: 'nothing' } : { kind: 'session', entry }
}
