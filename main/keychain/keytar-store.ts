import { type Failure, fail, OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { type EntryText, entryText } from '../base/secret.ts'
import { createInTurn, withTimeout } from '../base/waits.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { type Entries, splitEntries } from './split-entries.ts'

export const KEYCHAIN_SERVICE = 'Latchkey'

/** The calls of keytar that Latchkey uses. `findCredentials` isn't one, because it crashes on a locked collection. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  /** Keeps the connection to the Secret Service open, because the user would be asked again on a new one. */
  keep?(): void
  /** Makes the next call use a new connection, so that the user is asked again. */
  reconnect?(): void
}

/** The state of the Secret Service's default collection, which keytar writes to. */
export type SecretServiceState =
  | { readonly kind: 'unlocked' }
  | { readonly kind: 'locked' }
  /**
   * The collection is unlocked, but this entry isn't. KeePassXC asks the user about each entry, once for each
   * connection (keepassxc: src/fdosecrets/dbus/DBusClient.cpp).
   */
  | { readonly kind: 'withheld' }
  /** There is no default collection. The first write asks the user to create one. */
  | { readonly kind: 'uncreated' }
  /** There is no session bus, or no Secret Service on it. */
  | { readonly kind: 'absent'; readonly cause: string }
  /** The Secret Service exists but didn't answer in time. */
  | { readonly kind: 'unavailable'; readonly cause: string }

interface KeytarStoreOptions {
  readonly keytar: Keytar
  readonly platform: NodeJS.Platform
  readonly hostname: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** The longest wait of a caller, in milliseconds; `KEYCHAIN_TIMEOUT_MS` by default. */
  readonly timeoutMs?: number
  /** On Linux, asks for the state of the collection or, with an account, of its entry. */
  readonly askSecretService: (account?: string) => Promise<SecretServiceState>
  /** The Secret Service's state, if it was queried a moment ago. */
  readonly seen?: SecretServiceState['kind']
}

/** How long a collection is assumed to stay unlocked before it is queried again. */
const UNLOCKED_FOR_MS = 500

/** How many milliseconds a caller waits, both in the queue and for the call. */
export const KEYCHAIN_TIMEOUT_MS = 5_000
const LONGEST_CAUSE = 300

const LOCKED = 'the keychain is locked'
const LATE = 'the keychain did not answer in time'
const NOT_WRITTEN = 'the keychain did not keep what was written'
const SUPERSEDED = 'a newer change of the same entry took its place'

/**
 * The operating system's keychain. A native call can't be cancelled, so calls run one at a time, and a caller whose
 * timeout passes gets a failure. A change that waits for its turn is made even after its timeout, unless a newer change
 * of the same entry waits. A waiting read is dropped after its timeout.
 *
 * On Linux, a locked collection looks empty to keytar, so the Secret Service is asked whether the collection is locked.
 * Because callers retry, each kind of call on an entry shows the unlock prompt at most once, until the user acts or the
 * collection is unlocked. If the user refuses an entry in KeePassXC, the entry looks missing, and writing it seems to
 * succeed.
 */
export class KeytarStore implements SecretStore {
  readonly persistence = 'keychain'
  readonly #entries: Entries
  readonly #inTurn = createInTurn()
  /** The newest change of each entry. Older ones that still wait are dropped. */
  readonly #newest = new Map<string, object>()
  readonly #accountOf: (name: string) => string
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #timeoutMs: number
  readonly #keytar: Keytar
  readonly #askSecretService: ((account?: string) => Promise<SecretServiceState>) | undefined
  /** The calls that may have shown the prompt since the collection was last unlocked. */
  readonly #prompted = new Set<string>()
  /** Entries to which the user refuses access, although the collection is unlocked. */
  readonly #withheld = new Set<string>()
  #isCalling = false
  #seenLocked = false
  #seenUnlockedAt = Number.NEGATIVE_INFINITY

  constructor({
    keytar,
    platform,
    hostname,
    clock,
    timeoutMs = KEYCHAIN_TIMEOUT_MS,
    askSecretService,
    seen,
  }: KeytarStoreOptions) {
    const entries: Entries = {
      get: (account) => keytar.getPassword(KEYCHAIN_SERVICE, account),
      set: (account, value) => keytar.setPassword(KEYCHAIN_SERVICE, account, value),
      delete: (account) => keytar.deletePassword(KEYCHAIN_SERVICE, account),
    }
    this.#entries = splitEntries(entries, platform)
    this.#clock = clock
    this.#keytar = keytar
    this.#timeoutMs = timeoutMs
    // SECURITY: Windows may copy entries to the user's other computers, which must not use this computer's session.
    this.#accountOf = platform === 'win32' ? (name) => `${name} on ${hostname}` : (name) => name
    this.#askSecretService = platform === 'linux' ? askSecretService : undefined
    this.#note(seen)
  }

  /** True during a native call, for which a normal exit would wait. */
  get busy(): boolean {
    return this.#isCalling
  }

  /** Lets the system show its unlock prompt again. Call this when the user does something. */
  allowPrompts(): void {
    this.#prompted.clear()
    if (this.#withheld.size > 0) this.#keytar.reconnect?.()
    this.#withheld.clear()
  }

  async read(name: string): Promise<ReadResult> {
    const refusal = storageProblem(name)
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
    const refusal = storageProblem(name) ?? storageProblem(value.reveal())
    if (refusal !== undefined) return keychainFailure('keychainWrite', refusal)
    return this.#change('keychainWrite', name, () => this.#write(name, value))
  }

  async delete(name: string): Promise<Outcome> {
    const refusal = storageProblem(name)
    if (refusal !== undefined) return keychainFailure('keychainDelete', refusal)
    return this.#change('keychainDelete', name, () => this.#delete(name))
  }

  async #change(operation: Change, name: string, change: () => Promise<void>): Promise<Outcome> {
    const own = {}
    this.#newest.set(name, own)
    try {
      await this.#call(change, () => (this.#newest.get(name) === own ? undefined : SUPERSEDED))
      return OK
    } catch (error) {
      return keychainFailure(operation, messageOf(error))
    }
  }

  /** Makes the call when its turn comes, unless `whyNot` then returns a reason to drop it. */
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
    // libsecret reports success even if the user refuses the write.
    const read = await this.#entries.get(account)
    if (read === null) await this.#confirmMissing(name)
    if (read !== value.reveal()) throw new Error(NOT_WRITTEN)
    this.#keepIfAsked(name)
  }

  async #delete(name: string): Promise<void> {
    const account = this.#accountOf(name)
    if (this.#withheld.has(name)) throw new Error(LOCKED)
    if (await this.#entries.delete(account)) return
    // SECURITY: a locked entry looks missing. If a sign-out took it for missing, the refresh token would stay stored.
    let found = await this.#confirmMissing(name)
    if (found.kind === 'locked' && this.#mayPrompt('delete', name)) {
      // Reading shows the unlock prompt; deleting doesn't.
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

  /** An entry that seems missing may be in a locked collection (Linux). */
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

  /** Keeps the connection if the user was asked about this entry, so that they aren't asked again. */
  #keepIfAsked(name: string): void {
    if (this.#keytar.keep === undefined) return
    void this.#askSecretService?.(this.#accountOf(name)).then(({ kind }) => {
      if (kind === 'withheld') this.#keytar.keep?.()
    })
  }

  /** On Linux, the collection's state, which tells whether the call may show the system's prompt. */
  async #stateBeforeCall(): Promise<SecretServiceState['kind'] | undefined> {
    return this.#clock.now() - this.#seenUnlockedAt < UNLOCKED_FOR_MS ? 'unlocked' : this.#query()
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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Change = 'keychainWrite' | 'keychainDelete'

/** Says why keytar would change this text. Keytar's texts are C strings in UTF-8. */
export function storageProblem(text: string): string | undefined {
  if (text === '') return 'it is empty'
  // SECURITY: the text would end at the NUL, so two names could become one.
  if (text.includes('\0')) return 'it holds a NUL'
  if (Buffer.from(text, 'utf8').toString('utf8') !== text) return 'it is not well-formed Unicode'
  return undefined
}

/** @param cause the reason, which contains no secret */
export function keychainFailure(operation: Change, cause: string): Outcome {
  const failure: Failure = { code: 'keychainUnavailable', details: { operation, cause: cause.slice(0, LONGEST_CAUSE) } }
  return fail(failure)
}
