import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { type EntryText, entryText } from '../base/secret.ts'
import { createInTurn, withTimeout } from '../base/waits.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { type Keytar, messageOf, SERVICE } from './keytar.ts'
import type { SecretServiceState } from './secret-service.ts'
import { type Entries, splitEntries } from './split-entries.ts'

export interface KeytarStoreOptions {
  readonly keytar: Keytar
  readonly platform: NodeJS.Platform
  readonly hostname: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Default: `TIMEOUT_MS`. */
  readonly timeoutMs?: number
  /** Queries the state of the collection and, with an account, of its entry; only used on Linux. */
  readonly askSecretService: (account?: string) => Promise<SecretServiceState>
  /** The Secret Service's last answer, if it is recent. */
  readonly seen?: SecretServiceState['kind']
}

/** How long a collection counts as unlocked without a new query. Milliseconds. */
const JUST_NOW = 500

/** How long a caller waits, including the wait for its turn. Milliseconds. */
export const TIMEOUT_MS = 5_000
const LONGEST_CAUSE = 300

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
 *
 * One call runs at a time, because a native call can't be cancelled and holds a thread of the pool. After the timeout a
 * caller gets a failure. A read that hasn't begun by then is dropped; a change still runs, unless a newer change of the
 * same entry waits, too.
 */
export class KeytarStore implements SecretStore {
  readonly persistence = 'keychain'
  readonly #entries: Entries
  readonly #inTurn = createInTurn()
  /** The newest change of each entry. An older one that still waits is dropped. */
  readonly #newest = new Map<string, object>()
  readonly #accountOf: (name: string) => string
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #timeoutMs: number
  readonly #keytar: Keytar
  readonly #askSecretService: ((account?: string) => Promise<SecretServiceState>) | undefined
  /** The calls that may have prompted since the collection was last found unlocked, by kind and entry. */
  readonly #prompted = new Set<string>()
  /** The entries that the user withholds although the collection is unlocked. */
  readonly #withheld = new Set<string>()
  #isCalling = false
  #seenLocked = false
  #seenUnlockedAt = Number.NEGATIVE_INFINITY

  constructor({
    keytar,
    platform,
    hostname,
    clock,
    timeoutMs = TIMEOUT_MS,
    askSecretService,
    seen,
  }: KeytarStoreOptions) {
    const entries: Entries = {
      get: (account) => keytar.getPassword(SERVICE, account),
      set: (account, value) => keytar.setPassword(SERVICE, account, value),
      delete: (account) => keytar.deletePassword(SERVICE, account),
    }
    this.#entries = splitEntries(entries, platform)
    this.#clock = clock
    this.#keytar = keytar
    this.#timeoutMs = timeoutMs
    // SECURITY: Windows copies entries to the user's other machines, which must not use this machine's session.
    this.#accountOf = platform === 'win32' ? (name) => `${name} on ${hostname}` : (name) => name
    this.#askSecretService = platform === 'linux' ? askSecretService : undefined
    this.#note(seen)
  }

  /** True while a native call is under way, for which a normal exit would wait. */
  get busy(): boolean {
    return this.#isCalling
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
    const deadline = this.#clock.now() + this.#timeoutMs
    try {
      return await this.#call(
        () => this.#read(name),
        () => (this.#clock.now() < deadline ? undefined : LATE),
      )
    } catch (error) {
      const cause = messageOf(error)
      return cause === LATE && this.#seenLocked ? { kind: 'locked' } : { kind: 'unavailable', cause }
    }
  }

  async write(name: string, value: EntryText): Promise<Outcome> {
    const refusal = whyUnstorable(name) ?? whyUnstorable(value.reveal())
    if (refusal !== undefined) return unavailable('keychainWrite', refusal)
    return this.#change('keychainWrite', name, () => this.#write(name, value))
  }

  async delete(name: string): Promise<Outcome> {
    const refusal = whyUnstorable(name)
    if (refusal !== undefined) return unavailable('keychainDelete', refusal)
    return this.#change('keychainDelete', name, () => this.#delete(name))
  }

  async #change(operation: Change, name: string, change: () => Promise<void>): Promise<Outcome> {
    const own = {}
    this.#newest.set(name, own)
    try {
      await this.#call(change, () => (this.#newest.get(name) === own ? undefined : SUPERSEDED))
      return OK
    } catch (error) {
      return unavailable(operation, messageOf(error))
    }
  }

  /** Makes the call when its turn comes, unless `whyNot` then gives a reason to drop it. */
  async #call<T>(call: () => Promise<T>, whyNot: () => string | undefined): Promise<T> {
    const calling = this.#inTurn(async () => {
      const reason = whyNot()
      if (reason !== undefined) throw new Error(reason)
      this.#isCalling = true
      try {
        return { value: await call() }
      } finally {
        this.#isCalling = false
      }
    })
    const called = await withTimeout(this.#clock, this.#timeoutMs, calling, undefined)
    if (called === undefined) throw new Error(LATE)
    return called.value
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

type Change = 'keychainWrite' | 'keychainDelete'

/** Why keytar can't store a text unchanged; `undefined` if it can. Keytar uses C strings in UTF-8. */
export function whyUnstorable(text: string): string | undefined {
  if (text === '') return 'it is empty'
  // SECURITY: the text would silently end at the NUL: a value would be incomplete, and two names could become the same.
  if (text.includes('\0')) return 'it holds a NUL'
  if (Buffer.from(text, 'utf8').toString('utf8') !== text) return 'it is not well-formed Unicode'
  return undefined
}

/** The outcome of a write or delete that failed or may have failed. `cause` is technical and contains no secret. */
export function unavailable(operation: Change, cause: string): Outcome {
  const failure: Failure = { code: 'keychainUnavailable', details: { operation, cause: cause.slice(0, LONGEST_CAUSE) } }
  return fail(failure)
}
