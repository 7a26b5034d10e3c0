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
  /** What the entry may contain now, judging by what this run has read and written. Empty if nothing is known. */
  readonly values: readonly Contents[]
  /** True if the entry was never read, or a change may have failed. It must then be read before it is changed. */
  readonly mustRead: boolean
  /** Where the entry was last read or written. A keychain that appears later may have another entry. */
  readonly persistence: SecretStore['persistence'] | undefined
}

/**
 * The delay before the next try after the settings have refused to change the marker. Only a sign-in, a sign-out and
 * `finish` try sooner. A try can block this thread for a second, because the library `atomically` repeats a refused
 * write.
 */
const MARK_RETRY_MS = 5_000

interface KeychainSyncPorts {
  readonly name: string
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  readonly record: SessionRecord
  readonly signal: AbortSignal
}

interface KeychainSyncListener {
  /**
   * Called after a read with the decision about the entry. Not called if this run already knows the entry, or if the
   * entry can only be an older copy of the one that this run wrote.
   */
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
  /** Set once the settings refuse the marker. The next try comes at `retryAt`, or when `turn` aborts. */
  #refusal: { readonly retryAt: number; readonly turn: AbortSignal } | undefined

  constructor(ports: KeychainSyncPorts) {
    const { clock, random, signal } = ports
    this.#ports = ports
    this.#retry = new Retry({ clock, random, signal, capMs: LONGEST_DELAY_WITH_TOKEN, attempt: () => void this.sync() })
  }

  /** Reads the entry, then changes it if necessary. Resolves when nothing is left to do or an action has failed. */
  start(listener: KeychainSyncListener): Promise<void> {
    this.#listener = listener
    return this.#run(true)
  }

  /**
   * Brings the entry to the wanted content. Resolves when nothing is left to do, or when an action has failed and will
   * be retried. Changes of the marker that come first are made synchronously. Never throws or rejects.
   */
  sync(): Promise<void> {
    this.#markNow()
    return this.#run(false)
  }

  /**
   * If the entry seemed missing, has it read again before the next change. A locked keychain looks empty, and if the
   * disk was full, no marker shows that the entry has a session. A sign-out must end that session, too.
   */
  distrustMissing(): void {
    if (this.#found === 'missing') this.#doubt()
  }

  /** Reads an entry that should have content, and stores it again if lost. Resolves when no attempt is under way. */
  async verify(): Promise<void> {
    await this.#running
    if (this.#known.values.some(isEntry)) this.#doubt()
    this.wake()
    await this.#running
  }

  async idle(): Promise<void> {
    await this.#running
  }

  wake(): void {
    this.#retry.wake()
    // If a read is due, it may succeed now, because the keychain may be available again.
    if (this.#isReadDue) void this.sync()
  }

  /** Takes the last steps before the session closes. Tries the marker even if it has just been refused. */
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
      // No `await` may come between the loop's end and this line, or a change in between would start no loop.
      this.#running = undefined
    }
    if (this.#isMarkStuck && this.#refusal !== undefined) {
      this.#retry.obey(this.#refusal.retryAt)
      this.#retry.failed()
    } else {
      this.#refusal = undefined
      this.#retry.succeeded()
    }
    if (this.#ports.record.isDecided) this.#listener?.synced()
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

  /** Tries to change the marker and returns true, even if that fails; false if the action is about the entry. */
  #mark(action: KeychainAction): boolean {
    const { marker, name, clock, record } = this.#ports
    if (!isMark(action)) return false
    const mark = MARKS[action]
    const isChanged = mark === undefined ? marker.clear(name) : marker.set(name, mark)
    this.#refusal = isChanged ? undefined : { retryAt: clock.now() + MARK_RETRY_MS, turn: record.turn }
    return true
  }

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
    // If a locked keychain only hides the entry, the entry still has its earlier content.
    const hidden = contents === 'missing' ? this.#known.values.filter(isEntry) : []
    if (contents !== undefined && !mustReadAgain) this.#learn(...hidden, contents)
    this.#listener?.found(decision, entry)
    return !mustReadAgain
  }

  /**
   * Whether an unknown entry can only be an older copy of this run's own entry, for example from a backup of the
   * keychain. The tokens in such a copy aren't revoked, because that could end the session that has newer tokens (RFC
   * 9700, section 4.14.2).
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

  async #readStore(): Promise<{
    readonly read: ReadOutcome
    readonly contents?: Contents
    readonly entry: EntryContent
  }> {
    const { store, name } = this.#ports
    let result = await store.read(name)
    // The store checks whether the keychain is locked only after reading. If the user unlocks the keychain in between,
    // an entry looks missing.
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

  /** Changes the entry. Until the keychain has confirmed the change, the entry may have the old or the new content. */
  async #change(contents: EntryContent | 'deleted', change: () => Promise<Outcome>): Promise<boolean> {
    const isKnown = isEntry(contents) && this.#known.values.some((each) => isEntry(each) && isSame(each, contents))
    if (!isKnown) this.#known = { ...this.#known, values: [...this.#known.values, contents] }
    const { ok } = await change()
    if (ok) this.#learn(contents)
    else this.#doubt()
    return ok
  }
}

const MARKS = { markStored: 'stored', markRevoking: 'revoking', markSignedOut: 'signedOut', unmark: undefined } as const
const isMark = (action: KeychainAction): action is keyof typeof MARKS => action in MARKS

const isEntry = (contents: Contents | undefined): contents is EntryContent => typeof contents === 'object'
const READ_AGAIN: readonly ReadDecision[] = ['locked', 'unavailable', 'missing', 'signedOutReadAgain']
const NOTHING: EntryContent = { revocations: [] }

const kindOf = ({ session }: EntryContent): ReadOutcome => (session === undefined ? 'revocations' : 'session')
/**
 * Whether the entry contains an unwanted session. A session with the wanted session's token isn't unwanted, because a
 * service may give a user the same token again.
 */
const isSupersededBy = ({ session }: EntryContent, { session: wanted }: EntryContent): boolean =>
  session !== undefined &&
  session.signIn !== wanted?.signIn &&
  wanted?.refreshToken.equals(session.refreshToken) !== true

const isSame = (one: EntryContent, other: EntryContent): boolean => writeEntry(one).equals(writeEntry(other))
