import type { Outcome } from '../../contract/failures.ts'
import type { Kept } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { type Random, Retry } from '../base/retry.ts'
import { type EntryContent, readEntry, writeEntry } from './entry.ts'
import {
  decisionAfter,
  type KeychainAction,
  type KnownContent,
  type Mark,
  mustHoldBack,
  nextAction,
  type ReadDecision,
  type ReadOutcome,
  type WantedContent,
} from './keychain-plan.ts'
import type { SecretStore, StoredMarker } from './ports.ts'
import { LONGEST_DELAY_WITH_TOKEN } from './schedule.ts'
import type { SessionRecord } from './session-record.ts'

type Contents = EntryContent | 'missing' | 'deleted' | 'damaged' | 'unknownVersion'

interface Known {
  /**
   * What this run has read or tried to write. If there are values, the entry contains one of them. Otherwise its
   * content is unknown.
   */
  readonly values: readonly Contents[]
  /**
   * True if the entry has never been read, or a change may have failed. It must then be read before the next change.
   */
  readonly mustRead: boolean
  /**
   * Where the entry was last read or written. If the keychain comes late, its entry may differ from the one in memory.
   */
  readonly persistence: SecretStore['persistence'] | undefined
}

/**
 * How long after the settings refused to change the marker it is tried again. Until then, only the next sign-in or
 * sign-out tries, because the library `atomically` repeats a refused write, which can block this thread for a second.
 */
const MARK_RETRY_MS = 5_000

interface KeychainSyncPorts {
  readonly name: string
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  readonly record: SessionRecord
  /** Once aborted, nothing is retried. */
  readonly signal: AbortSignal
}

interface KeychainSyncListener {
  /** Called after a read, with what to do about the entry. Not called if this run already knew the content. */
  readonly found: (decision: ReadDecision, entry: EntryContent) => void
  /** Called when an action has failed and will be tried again. */
  readonly failed: () => void
  readonly synced: () => void
}

/** Makes the keychain hold what the session wants, one action at a time, and retries until it does. */
export class KeychainSync {
  readonly #ports: KeychainSyncPorts
  readonly #retry: Retry
  #listener: KeychainSyncListener | undefined
  #known: Known = { values: [], mustRead: true, persistence: undefined }
  #running: Promise<void> | undefined
  /** The last time that the settings refused to change the marker, and when to try again. */
  #refusal: { readonly retryAt: number; readonly turn: AbortSignal } | undefined

  constructor(ports: KeychainSyncPorts) {
    const { clock, random, signal } = ports
    this.#ports = ports
    this.#retry = new Retry({ clock, random, signal, capMs: LONGEST_DELAY_WITH_TOKEN, attempt: () => void this.sync() })
  }

  /** Reads the entry. Resolves after the first attempt and what follows from it. */
  start(listener: KeychainSyncListener): Promise<void> {
    this.#listener = listener
    return this.#run(true)
  }

  /**
   * Steps towards the wanted content. Resolves after the first attempt. If the first steps change only the settings,
   * they are taken synchronously. Never throws or rejects, whatever the keychain and the disk do.
   */
  sync(): Promise<void> {
    this.#markNow()
    return this.#run(false)
  }

  /**
   * Makes sure that an entry that seems missing is read again before the next change. A locked keychain looks empty,
   * and on a full disk there may be no marker, but a sign-out must end the hidden session all the same.
   */
  distrustMissing(): void {
    if (this.#found === 'missing') this.#doubt()
  }

  /**
   * Reads an entry that should contain something, and writes what is missing, because the keychain may have lost it.
   * Resolves when no attempt is under way.
   */
  async verify(): Promise<void> {
    await this.#running
    if (this.#known.values.some(isEntry)) this.#doubt()
    this.wake()
    await this.#running
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  wake(): void {
    this.#retry.wake()
    // A read that is due may succeed now that the keychain is back.
    if (this.#isReadDue) void this.sync()
  }

  /** Takes the last steps. Even a marker that the settings have just refused to change is tried again. */
  finish(): Promise<void> {
    this.#refusal = undefined
    return this.sync()
  }

  get kept(): Kept {
    const { store, record } = this.#ports
    const { session } = record.entry
    if (store.persistence === 'memory' || session === undefined || this.#found === 'unknownVersion') return 'memory'
    const isKept = (contents: Contents) =>
      isEntry(contents) && contents.session?.refreshToken.equals(session.refreshToken) === true
    if (this.#isReadDue) return 'unsaved'
    const isRestored = this.#marked === 'stored' || this.#marked === 'revoking'
    return isRestored && this.#known.values.length > 0 && this.#known.values.every(isKept) ? 'keychain' : 'unsaved'
  }

  get isUnknown(): boolean {
    return this.#known.values.length === 0
  }

  get isMarked(): boolean {
    return this.#marked !== 'none'
  }

  #run(isStart: boolean): Promise<void> {
    this.#running ??= Promise.resolve().then(() => this.#work(isStart))
    return this.#running
  }

  async #work(isStart: boolean): Promise<void> {
    this.#retry.begin()
    try {
      let action: KeychainAction = isStart ? 'read' : this.#nextAction
      for (; action !== 'rest'; action = this.#nextAction) {
        if (await this.#perform(action)) continue
        this.#retry.failed()
        this.#listener?.failed()
        return
      }
    } finally {
      // This happens synchronously at the end of the loop, so that a later change starts it again.
      this.#running = undefined
    }
    if (this.#isMarkStuck) this.#markLater()
    else this.#settled()
    if (this.#ports.record.isDecided) this.#listener?.synced()
  }

  #settled(): void {
    this.#refusal = undefined
    this.#retry.succeeded()
  }

  #markLater(): void {
    if (this.#refusal === undefined) return
    this.#retry.obey(this.#refusal.retryAt)
    this.#retry.failed()
  }

  #markNow(): void {
    while (this.#mark(this.#nextAction) && !this.#isMarkStuck);
  }

  get #isMarkStuck(): boolean {
    return this.#refusal?.turn.aborted === false && this.#ports.clock.now() < this.#refusal.retryAt
  }

  get #nextAction(): KeychainAction {
    return nextAction({ wanted: this.#wanted, found: this.#found, ...this.#markStatus })
  }

  get #markStatus() {
    const { persistence } = this.#ports.store
    return { mark: this.#marked, isMarkStuck: this.#isMarkStuck, persistence }
  }

  get #entry(): EntryContent {
    const { entry } = this.#ports.record
    return mustHoldBack(this.#markStatus) ? { revocations: entry.revocations } : entry
  }

  get #wanted(): WantedContent {
    const { wanted, revocations } = this.#ports.record
    if (!mustHoldBack(this.#markStatus)) return wanted
    return revocations.length === 0 ? 'nothing' : 'revocations'
  }

  get #marked(): Mark {
    const { marker, name } = this.#ports
    return marker.get(name) ?? 'none'
  }

  get #found(): KnownContent {
    const entry = this.#entry
    const isSuperseded = this.#known.values.some((each) => isEntry(each) && isSupersededBy(each, entry))
    if (this.#isReadDue) return isSuperseded ? 'unreadSuperseded' : 'unread'
    if (isSuperseded) return 'superseded'
    if (this.#known.values.includes('missing')) return 'missing'
    const [contents, ...others] = this.#known.values
    if (contents === undefined || others.length > 0 || contents === 'damaged') return 'outdated'
    if (typeof contents === 'string') return contents
    return isSame(contents, entry) ? 'current' : 'outdated'
  }

  /** Carries out `action` if it changes only the settings. Returns true if it is such an action, even if it failed. */
  #mark(action: KeychainAction): boolean {
    const { marker, name, clock, record } = this.#ports
    if (!isMark(action)) return false
    const mark = MARKS[action]
    const isChanged = mark === undefined ? marker.clear(name) : marker.set(name, mark)
    this.#refusal = isChanged ? undefined : { retryAt: clock.now() + MARK_RETRY_MS, turn: record.turn }
    return true
  }

  /** Returns false if the action must be retried. */
  async #perform(action: KeychainAction): Promise<boolean> {
    if (this.#mark(action)) return true
    switch (action) {
      case 'read':
        return this.#read()
      case 'write':
        return this.#write(this.#entry)
      case 'withdraw': {
        const { revocations } = this.#entry
        return revocations.length > 0 ? this.#write({ revocations }) : this.#delete()
      }
      case 'delete':
        return this.#delete()
      default:
        return true
    }
  }

  async #read(): Promise<boolean> {
    const { record } = this.#ports
    const { read, contents, entry } = await this.#readStore()
    const known = this.#known.values.find((each) => isEntry(each) && isSame(each, entry))
    if (isEntry(contents) && (known !== undefined || this.#isOverwritten)) {
      this.#learn(known ?? contents)
      return true
    }
    const decision = decisionAfter(read, this.#marked, record.wanted)
    const mustReadAgain = READ_AGAIN.includes(decision)
    // An entry that seems missing may still be there, with its earlier content.
    const hidden = contents === 'missing' ? this.#known.values.filter(isEntry) : []
    if (contents !== undefined && !mustReadAgain) this.#learn(...hidden, contents)
    this.#listener?.found(decision, entry)
    return !mustReadAgain
  }

  /**
   * Whether an unknown entry can only be an older copy of this run's own, for example one from a backup of the
   * keychain. Revoking its tokens could end the session that has newer ones (RFC 9700, section 4.14.2), so they aren't
   * revoked.
   */
  get #isOverwritten(): boolean {
    const { values, persistence } = this.#known
    return persistence === this.#ports.store.persistence && values.length > 0 && values.every(isEntry)
  }

  #learn(...values: readonly Contents[]): void {
    this.#known = { values, mustRead: false, persistence: this.#ports.store.persistence }
  }

  #doubt(): void {
    this.#known = { ...this.#known, mustRead: true }
  }

  get #isReadDue(): boolean {
    return this.#known.mustRead || this.#known.persistence !== this.#ports.store.persistence
  }

  /** Reads the entry. `contents` is absent if that fails. */
  async #readStore(): Promise<{
    readonly read: ReadOutcome
    readonly contents?: Contents
    readonly entry: EntryContent
  }> {
    const { store, name } = this.#ports
    let result = await store.read(name)
    // The store asks whether the keychain is locked only after reading. If the user unlocks it in between, an entry
    // looks missing.
    if (result.kind === 'missing' && this.isMarked) result = await store.read(name)
    if (result.kind === 'found') {
      const found = readEntry(result.value)
      if (found.kind !== 'entry') return { read: found.kind, contents: found.kind, entry: NOTHING }
      return { read: kindOf(found.entry), contents: found.entry, entry: found.entry }
    }
    if (result.kind === 'missing') return { read: 'missing', contents: 'missing', entry: NOTHING }
    return { read: result.kind, entry: NOTHING }
  }

  #write(entry: EntryContent): Promise<boolean> {
    const { store, name } = this.#ports
    return this.#change(entry, () => store.write(name, writeEntry(entry)))
  }

  #delete(): Promise<boolean> {
    const { store, name } = this.#ports
    return this.#change('deleted', () => store.delete(name))
  }

  /** Makes a change. Until the keychain has confirmed it, the content is uncertain. */
  async #change(contents: EntryContent | 'deleted', change: () => Promise<Outcome>): Promise<boolean> {
    const isKnown = isEntry(contents) && this.#known.values.some((each) => isEntry(each) && isSame(each, contents))
    if (!isKnown) this.#known = { ...this.#known, values: [...this.#known.values, contents] }
    const { ok } = await change()
    if (ok) this.#learn(contents)
    else this.#doubt()
    return ok
  }
}

/** The marker that each of the actions sets that change only the marker. */
const MARKS = { markStored: 'stored', markRevoking: 'revoking', markSignedOut: 'signedOut', unmark: undefined } as const
const isMark = (action: KeychainAction): action is keyof typeof MARKS => action in MARKS

const isEntry = (contents: Contents | undefined): contents is EntryContent => typeof contents === 'object'
const READ_AGAIN: readonly ReadDecision[] = ['locked', 'unavailable', 'missing', 'signedOutReadAgain']
const NOTHING: EntryContent = { revocations: [] }

const kindOf = ({ session }: EntryContent): ReadOutcome => (session === undefined ? 'revocations' : 'session')
/**
 * Whether the entry contains an unwanted session. A session with the same token counts as the same, because a service
 * may give a user the same token again.
 */
const isSupersededBy = ({ session }: EntryContent, { session: wanted }: EntryContent): boolean =>
  session !== undefined &&
  session.signIn !== wanted?.signIn &&
  wanted?.refreshToken.equals(session.refreshToken) !== true

const isSame = (one: EntryContent, other: EntryContent): boolean => writeEntry(one).equals(writeEntry(other))
