import { OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { type EntryText, entryText } from '../base/secret.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { CallQueue, type Changed } from './call-queue.ts'
import type { SecretServiceState } from './secret-service.ts'
import { type Entries, splitEntries } from './split-entries.ts'
import { SERVICE, unavailable, whyUnstorable } from './storable.ts'

/**
 * The part of keytar that is used. `findCredentials` is not used, because it crashes the process on a locked
 * collection.
 */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  /** Keeps the connection to the Secret Service: the user was asked about it, and would be asked about another. */
  keep?(): void
  /** Makes the next call on a new connection, so that the user is asked again. */
  reconnect?(): void
}

export interface KeytarStoreOptions {
  readonly keytar: Keytar
  readonly platform: NodeJS.Platform
  readonly hostname: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long a caller waits, including the wait for its turn. Milliseconds. */
  readonly timeoutMs?: number
  /** Queries the state of the collection and, with an account, of its entry; only used on Linux. */
  readonly askSecretService: (account?: string) => Promise<SecretServiceState>
  /** The Secret Service's last answer, if it is recent. */
  readonly seen?: SecretServiceState['kind']
}

/** How long a collection counts as unlocked without a new query. Milliseconds. */
const JUST_NOW = 500

const LOCKED = 'the keychain is locked'
const LATE = 'the keychain did not answer in time'
const NOT_WRITTEN = 'the keychain did not keep what was written'
const SUPERSEDED = 'a newer change of the same entry took its place'

/**
 * The operating system's keychain. On Linux a locked collection looks empty to keytar, so if it finds no entry, the
 * Secret Service is asked whether the collection is locked. A call on a locked collection may show the system's unlock
 * prompt, and callers retry on their own, so each kind of call on an entry prompts once, until the collection was found
 * unlocked or `allowPrompts` is called. KeePassXC also asks about each entry: if the user refuses, the entry looks
 * missing, a write seems to succeed, and a delete finds nothing.
 */
export class KeytarStore implements SecretStore {
  readonly persistence = 'keychain'
  readonly #entries: Entries
  readonly #calls: CallQueue
  readonly #accountOf: (name: string) => string
  readonly #clock: Pick<Clock, 'now'>
  readonly #keytar: Keytar
  readonly #askSecretService: ((account?: string) => Promise<SecretServiceState>) | undefined
  /** The calls that may have prompted since the collection was last found unlocked, by kind and entry. */
  readonly #prompted = new Set<string>()
  /** The entries that the user withholds although the collection is unlocked. */
  readonly #withheld = new Set<string>()
  #seenLocked = false
  #seenUnlockedAt = Number.NEGATIVE_INFINITY

  constructor({ keytar, platform, hostname, clock, timeoutMs, askSecretService, seen }: KeytarStoreOptions) {
    const entries: Entries = {
      get: (account) => keytar.getPassword(SERVICE, account),
      set: (account, value) => keytar.setPassword(SERVICE, account, value),
      delete: (account) => keytar.deletePassword(SERVICE, account),
    }
    this.#entries = splitEntries(entries, platform)
    this.#clock = clock
    this.#keytar = keytar
    this.#calls = new CallQueue(clock, timeoutMs)
    // SECURITY: Windows copies entries to the user's other machines, which must not use this machine's session.
    this.#accountOf = platform === 'win32' ? (name) => `${name} on ${hostname}` : (name) => name
    this.#askSecretService = platform === 'linux' ? askSecretService : undefined
    this.#note(seen)
  }

  /** True while a native call is under way, for which a normal exit would wait. */
  get busy(): boolean {
    return this.#calls.busy
  }

  /** Call this before a user action, so that the system may show its unlock prompt again. */
  allowPrompts(): void {
    this.#prompted.clear()
    if (this.#withheld.size > 0) this.#keytar.reconnect?.()
    this.#withheld.clear()
  }

  async read(name: string): Promise<ReadResult> {
    const refusal = whyUnstorable(name)
    if (refusal !== undefined) return { kind: 'unavailable', cause: `name: ${refusal}` }
    const asked = await this.#calls.ask(() => this.#read(name))
    if (asked.kind === 'done') return asked.value
    if (asked.kind === 'failed') return { kind: 'unavailable', cause: asked.cause }
    return this.#seenLocked ? { kind: 'locked' } : { kind: 'unavailable', cause: LATE }
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    const refusal = whyUnstorable(name) ?? whyUnstorable(value.reveal())
    if (refusal !== undefined) return unavailable('keychainWrite', refusal)
    return outcomeOf('keychainWrite', await this.#calls.change(name, () => this.#write(name, value)))
  }

  async delete(name: string): Promise<Outcome> {
    const refusal = whyUnstorable(name)
    if (refusal !== undefined) return unavailable('keychainDelete', refusal)
    return outcomeOf('keychainDelete', await this.#calls.change(name, () => this.#delete(name)))
  }

  async #read(name: string): Promise<ReadResult> {
    const state = await this.#stateBeforeCall()
    if (this.#withheld.has(name)) return { kind: 'locked' }
    if (state === 'locked' && !this.#mayPrompt('read', name)) return { kind: 'locked' }
    const value = await this.#entries.get(this.#accountOf(name))
    if (value === null) return this.#confirmMissing(name)
    this.#keepIfAsked(name)
    return { kind: 'found', value: entryText(value) }
  }

  async #write(name: string, value: EntryText): Promise<void> {
    const state = await this.#stateBeforeCall()
    if (this.#withheld.has(name)) throw new Error(LOCKED)
    if ((state === 'locked' || state === 'uncreated') && !this.#mayPrompt('write', name)) throw new Error(LOCKED)
    const account = this.#accountOf(name)
    await this.#entries.set(account, value.reveal())
    if (this.#askSecretService === undefined) return
    // libsecret reports success even if the user has refused the write.
    const read = await this.#entries.get(account)
    if (read === null) await this.#confirmMissing(name)
    if (read !== value.reveal()) throw new Error(NOT_WRITTEN)
    this.#keepIfAsked(name)
  }

  async #delete(name: string): Promise<void> {
    const account = this.#accountOf(name)
    if (this.#withheld.has(name)) throw new Error(LOCKED)
    if (await this.#entries.delete(account)) return
    // SECURITY: a locked entry looks missing. If a sign-out trusted that, the refresh token would remain in the
    // keychain.
    let found = await this.#confirmMissing(name)
    if (found.kind === 'locked' && this.#mayPrompt('delete', name)) {
      // Deleting never shows the unlock prompt, but reading does, so the entry is read first.
      await this.#entries.get(account)
      if (await this.#entries.delete(account)) {
        this.#withheld.delete(name)
        return
      }
      found = await this.#confirmMissing(name)
    }
    if (found.kind === 'locked') throw new Error(LOCKED)
    if (found.kind === 'unavailable') throw new Error(found.cause)
  }

  /** Checks an entry that keytar reports as missing: on Linux it may be in a locked collection. */
  async #confirmMissing(name: string): Promise<ReadResult> {
    const state = await this.#query(this.#accountOf(name))
    switch (state) {
      case undefined:
      case 'unlocked':
      case 'uncreated':
        return { kind: 'missing' }
      case 'withheld':
        this.#withheld.add(name)
        return { kind: 'locked' }
      case 'locked':
        return { kind: 'locked' }
      case 'absent':
      case 'unavailable':
        return { kind: 'unavailable', cause: `the Secret Service is ${state}` }
    }
  }

  /** Keeps the connection if the user was asked about this entry, so that they are asked once per run. */
  #keepIfAsked(name: string): void {
    if (this.#keytar.keep === undefined) return
    void this.#askSecretService?.(this.#accountOf(name)).then(({ kind }) => {
      if (kind === 'withheld') this.#keytar.keep?.()
    })
  }

  /** The state of the collection, which shows if a call could make the system's prompt appear. Linux only. */
  async #stateBeforeCall(): Promise<SecretServiceState['kind'] | undefined> {
    return this.#clock.now() - this.#seenUnlockedAt < JUST_NOW ? 'unlocked' : this.#query()
  }

  async #query(account?: string): Promise<SecretServiceState['kind'] | undefined> {
    const state = (await this.#askSecretService?.(account))?.kind
    this.#note(state)
    return state
  }

  #note(state: SecretServiceState['kind'] | undefined): void {
    this.#seenLocked = state === 'locked'
    this.#seenUnlockedAt = state === 'unlocked' ? this.#clock.now() : Number.NEGATIVE_INFINITY
    if (state === 'unlocked') this.#prompted.clear()
  }

  #mayPrompt(call: 'read' | 'write' | 'delete', name: string): boolean {
    const key = `${call} ${name}`
    if (this.#prompted.has(key)) return false
    this.#prompted.add(key)
    return true
  }
}

function outcomeOf(operation: 'keychainWrite' | 'keychainDelete', changed: Changed<void>): Outcome {
  switch (changed.kind) {
    case 'done':
      return OK
    case 'failed':
      return unavailable(operation, changed.cause)
    case 'late':
      return unavailable(operation, LATE)
    case 'overtaken':
      return unavailable(operation, SUPERSEDED)
  }
}
