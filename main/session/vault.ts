import type { Kept } from '../../contract/views.ts'
import {
  type EarlierIssuers,
  readSessionEntry,
  type SessionEntry,
  sessionEntryName,
  writeSessionEntry,
} from './entry.ts'
import type { Clock, Marker, Random, SecretStore, StoredMarker } from './ports.ts'
import { backoff, CAP_WHILE_SERVING } from './schedule.ts'
import { isIn, type RefreshToken } from './secret.ts'

/** So many tokens of a session are remembered, however often a service wants them renewed. */
const REMEMBERED = 100

export type Stored =
  | { readonly kind: 'session'; readonly entry: SessionEntry }
  /** The user signed out of it, or in over it, and the entry may have outlived that: to be forgotten, never restored. */
  | { readonly kind: 'leaving' }
  | { readonly kind: 'nothing' }
  /** There may be a session, but the keychain doesn't give it: ask, keep, try again. */
  | { readonly kind: 'locked' }

interface VaultPorts {
  readonly name: string
  /** The provider that single sign-on sessions without an issuer came from. */
  readonly earlierProvider?: string | undefined
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  /** Called when a write that had failed has been made good. */
  readonly onKept: (kept: Kept) => void
  /** Takes an entry that is about to go and that nobody here has held: its token has yet to be revoked. */
  readonly onLeft: (entry: SessionEntry) => Promise<void>
  /** Whether a token is being revoked, or has been: then it is no session's, whatever the entry says. */
  readonly isCondemned: (refreshToken: RefreshToken) => boolean
  /** Sees to it that a token about to be kept no longer waits to be revoked. False where it still does. */
  readonly spare: (refreshToken: RefreshToken, isWanted: () => boolean) => Promise<boolean>
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
  readonly #earlier: EarlierIssuers
  /** What should stand in the store; absent while whatever stands there is right. */
  #wanted: SessionEntry | 'nothing' | undefined
  /** Whether it is known what stands in the store. What isn't is read before it is replaced. */
  #known = false
  /** The tokens of this session, old and new: what else stands in the store isn't from here. */
  #ours: readonly RefreshToken[] = []
  /** The same of those that were left, and of what stood there: somebody sees to their end. */
  #left: readonly RefreshToken[] = []
  /** Whether it is known what stood there when the user left: what is found later is another copy's. */
  #hasLooked = false
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #running: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(ports: VaultPorts) {
    this.#ports = ports
    this.#entryName = sessionEntryName(ports.name)
    this.#earlier = { password: ports.name, sso: ports.earlierProvider }
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
        return mark === 'leaving' ? { kind: 'leaving' } : this.#found(readSessionEntry(result.value, this.#earlier))
      // Not even of an unlocked collection is this believed: the entry may be in another one, of a database of KeePassXC
      // that is not open yet. Who signed out in another copy of the program finds Sign in there.
      case 'missing':
        return mark === 'stored' ? { kind: 'locked' } : { kind: 'nothing' }
      // The marker goes before the entry: without one there is none to wait for.
      case 'locked':
      case 'unavailable':
        return { kind: mark === undefined ? 'nothing' : mark === 'stored' ? 'locked' : 'leaving' }
    }
  }

  /** What another copy of the program has written: nothing where what stands there is from here, or from before. */
  async readOther(): Promise<SessionEntry | undefined> {
    // A sign-in that has yet to be written takes the place of whatever stands there.
    if (!this.#known && this.#wanted !== undefined) return undefined
    const stored = await this.read()
    return stored.kind === 'session' && !isIn(this.#ours, stored.entry.refreshToken) ? stored.entry : undefined
  }

  /** Takes note that what `read` found is held now: who holds it sees to its end. */
  take(refreshToken: RefreshToken): void {
    this.#known = true
    this.#ours = [...this.#ours, refreshToken].slice(-REMEMBERED)
    // What was to be written has been given up for it.
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#wanted = undefined
    const { marker, name, store, onKept } = this.#ports
    if (this.#attempts > 0) onKept(store.persistence)
    this.#attempts = 0
    // Another copy of the program may have written it: this one's settings have to remember it too.
    if (marker.get(name) === undefined) this.#mark('stored')
  }

  /** Another session is about to be kept: what stands in the store is read before it is replaced. */
  recheck(): void {
    this.#known = false
    this.#hasLooked = false
  }

  /** Writes the session; answers where it is kept once the first attempt is over. */
  async keep(entry: SessionEntry): Promise<Kept> {
    this.#ours = [...this.#ours, entry.refreshToken].slice(-REMEMBERED)
    await this.#want(entry)
    return this.kept
  }

  /** The user signed out: from this call on the entry is never restored, however long it still stands. */
  leave(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#wanted = undefined
    const stoodNothing = this.#known && this.#ours.length === 0
    this.disown()
    this.#hasLooked = stoodNothing
  }

  /** The same for what stands in the store alone: what was given to `keep` takes its place as soon as it can. */
  disown(): void {
    const wanted = this.#wanted === undefined || this.#wanted === 'nothing' ? undefined : this.#wanted.refreshToken
    this.#left = [...this.#left, ...this.#ours.filter((token) => token !== wanted)]
    this.#ours = wanted === undefined ? [] : [wanted]
    this.recheck()
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
      this.#mark('stored')
      if (hadFailed) onKept(store.persistence)
    }
  }

  async #write(entry: SessionEntry): Promise<boolean> {
    const { store, marker, name } = this.#ports
    const isLeft = store.persistence === 'keychain' && marker.get(name) === 'leaving'
    const there = this.#known ? await this.#lookForOther(entry) : await this.#look()
    if (there === 'other') return true
    // What isn't known is not replaced unread; and a keychain that hangs would hold up twice what waits for the write.
    if (there === 'unread' && (!this.#known || this.#attempts === 0)) return false
    if (this.#wanted !== entry) return false
    const isWanted = () => this.#wanted === entry
    if (!this.#known && !(await this.#ports.spare(entry.refreshToken, isWanted))) return false
    if (this.#wanted !== entry) return false
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
    const there = this.#known ? 'ours' : await this.#look()
    if (there === 'unread' || this.#wanted !== 'nothing') return false
    // Another copy of the program has begun a session since: that one nobody has left.
    if (there === 'unknown') return true
    if (!mayForget()) return false
    return (await store.delete(this.#entryName)).ok
  }

  /** Reads what is about to go, and hands over what nobody here has held. `unknown`: it came after the user left. */
  async #look(): Promise<'unread' | 'ours' | 'left' | 'unknown'> {
    const { store, onLeft } = this.#ports
    const result = await store.read(this.#entryName)
    if (result.kind === 'locked' || result.kind === 'unavailable') return 'unread'
    const entry = result.kind === 'found' ? readSessionEntry(result.value, this.#earlier) : undefined
    if (entry === undefined) return 'left'
    if (isIn(this.#ours, entry.refreshToken)) return 'ours'
    const isLate = this.#wanted === 'nothing' && this.#hasLooked
    this.#hasLooked = true
    if (isIn(this.#left, entry.refreshToken)) return 'left'
    if (isLate) return 'unknown'
    this.#left = [...this.#left, entry.refreshToken]
    await onLeft(entry)
    return 'left'
  }

  /**
   * `other`: another copy of the program has written since we looked, for the same account. It has signed in anew, or
   * rotated what a write of ours, that seemed to fail, has brought there after all. Theirs stays: it is our next one.
   */
  async #lookForOther({ method, username, issuer }: SessionEntry): Promise<'unread' | 'ours' | 'other'> {
    const result = await this.#ports.store.read(this.#entryName)
    if (result.kind === 'locked' || result.kind === 'unavailable') return 'unread'
    const there = result.kind === 'found' ? readSessionEntry(result.value, this.#earlier) : undefined
    if (there?.method !== method || there.username !== username || there.issuer !== issuer) return 'ours'
    return isIn(this.#ours, there.refreshToken) || this.#ports.isCondemned(there.refreshToken) ? 'ours' : 'other'
  }

  #found(entry: SessionEntry | undefined): Stored {
    // What can't be read is not ours to delete: perhaps a newer version wrote it. The next sign-in replaces it.
    if (entry === undefined) return { kind: 'nothing' }
    // Who condemned it was killed before the entry could go.
    return this.#ports.isCondemned(entry.refreshToken) ? { kind: 'leaving' } : { kind: 'session', entry }
  }

  #mark(mark: Marker): void {
    const { store, marker, name } = this.#ports
    if (store.persistence === 'keychain') marker.set(name, mark)
  }
}
