import type { Outcome } from '../../contract/failures.ts'
import type { Kept } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
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
import type { Random, SecretStore, StoredMarker } from './ports.ts'
import { Retry } from './retry.ts'
import { LONGEST_DELAY_WITH_TOKEN } from './schedule.ts'
import type { SessionRecord } from './session-record.ts'

type Contents = EntryContent | 'missing' | 'deleted' | 'damaged' | 'unknownVersion'

interface Known {
  /**
   * What this run has read or tried to write: the entry contains one of these values, or is unknown if there are none.
   */
  readonly values: readonly Contents[]
  /** True if the entry must be read before a change: it has never been read, or a change may have failed. */
  readonly mustRead: boolean
  /**
   * Where the entry was last read or written. If the keychain becomes available late, its entry may differ from the one
   * in memory.
   */
  readonly persistence: SecretStore['persistence'] | undefined
}

/**
 * The time after which a refused change of the marker is tried again. Until then, only the next sign-in or sign-out
 * tries, because a refused write can block this thread for a second (atomically repeats it).
 */
const MARK_RETRY_MS = 5_000

interface KeychainSyncPorts {
  readonly name: string
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  readonly record: SessionRecord
}

interface KeychainSyncListener {
  /**
   * Called after a read, with the entry and what to do about it. Not called if this run already knew the entry's
   * content.
   */
  readonly found: (decision: ReadDecision, entry: EntryContent) => void
  /** Called when an action has failed and will be tried again. */
  readonly failed: () => void
  /** Called when the entry has the wanted content. */
  readonly synced: () => void
}

/** Makes the keychain match the session's wanted content, one action at a time, with retries until it does. */
export class KeychainSync {
  readonly #ports: KeychainSyncPorts
  readonly #retry: Retry
  #listener: KeychainSyncListener | undefined
  #known: Known = { values: [], mustRead: true, persistence: undefined }
  #running: Promise<void> | undefined
  /** When to change the marker again. Absent unless the settings refused the last change. */
  #refusal: { readonly retryAt: number; readonly isCurrent: () => boolean } | undefined
  #isStopped = false

  constructor(ports: KeychainSyncPorts) {
    const { clock, random } = ports
    this.#ports = ports
    this.#retry = new Retry({ clock, random, capMs: LONGEST_DELAY_WITH_TOKEN, attempt: () => void this.sync() })
  }

  /** Reads the entry; resolves after the first attempt and the actions that follow from it. */
  start(listener: KeychainSyncListener): Promise<void> {
    this.#listener = listener
    return this.#run(true)
  }

  /**
   * Steps towards the wanted content; resolves after the first attempt. First steps that only change the settings are
   * taken synchronously. Never throws or rejects, whatever the keychain and the disk do.
   */
  sync(): Promise<void> {
    this.#markNow()
    return this.#run(false)
  }

  /**
   * The entry is read again before anything else. A locked keychain looks empty, and on a full disk the entry has no
   * marker that would say so; a sign-out must end what is in it all the same.
   */
  distrustMissing(): void {
    if (this.#found === 'missing') this.#doubt()
  }

  /**
   * Reads the entry again if it should contain something, and then writes what is missing. Call this when the keychain
   * may no longer have what was stored in it.
   */
  async verify(): Promise<void> {
    await this.#running
    if (this.#known.values.some(isEntry)) this.#doubt()
    this.wake()
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  wake(): void {
    this.#retry.wake()
    // A read that is due may succeed now, if the keychain is available again.
    if (this.#isReadDue) void this.sync()
  }

  /** Runs a waiting retry immediately; no further retry follows. Resolves when no attempt is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#retry.isWaiting) {
      // The last opportunity, so even a marker that was refused a moment ago is tried again.
      this.#refusal = undefined
      void this.sync()
    }
    while (this.#running !== undefined) await this.#running
  }

  /** Where the session is stored. */
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

  /** True if the content of the entry is unknown. */
  get isUnknown(): boolean {
    return this.#known.values.length === 0
  }

  /** True if the settings have a marker of the entry. */
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
        if (!this.#isStopped) this.#retry.failed()
        this.#listener?.failed()
        return
      }
    } finally {
      // Cleared synchronously at the end of the loop, so that any later change starts the loop again.
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
    if (this.#isStopped || this.#refusal === undefined) return
    this.#retry.obey(this.#refusal.retryAt)
    this.#retry.failed()
  }

  #markNow(): void {
    while (this.#mark(this.#nextAction) && !this.#isMarkStuck);
  }

  get #isMarkStuck(): boolean {
    return this.#refusal?.isCurrent() === true && this.#ports.clock.now() < this.#refusal.retryAt
  }

  get #nextAction(): KeychainAction {
    return nextAction({ wanted: this.#wanted, found: this.#found, ...this.#markStatus })
  }

  get #markStatus() {
    const { persistence } = this.#ports.store
    return { mark: this.#marked, isMarkStuck: this.#isMarkStuck, persistence }
  }

  /** The content that the entry should have now. */
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

  /** Performs an action that only changes the settings. True for such an action, even if it fails. */
  #mark(action: KeychainAction): boolean {
    const { marker, name, clock, record } = this.#ports
    if (!isMark(action)) return false
    const mark = MARKS[action]
    const isChanged = mark === undefined ? marker.clear(name) : marker.set(name, mark)
    this.#refusal = isChanged ? undefined : { retryAt: clock.now() + MARK_RETRY_MS, isCurrent: record.sameTurn() }
    return true
  }

  /** Performs the action. Returns false if the action must be retried. */
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
    // An entry that seems to be missing may still exist, with the content that was known before.
    const hidden = contents === 'missing' ? this.#known.values.filter(isEntry) : []
    if (contents !== undefined && !mustReadAgain) this.#learn(...hidden, contents)
    this.#listener?.found(decision, entry)
    return !mustReadAgain
  }

  /**
   * True if an unknown entry can only be an older copy of this run's own, as from a backup of the keychain. Its tokens
   * are not revoked: that could end the session that now has newer ones (RFC 9700, section 4.14.2).
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

  /** Reads the keychain. `contents`: the value of the entry; absent if it could not be read. */
  async #readStore(): Promise<{
    readonly read: ReadOutcome
    readonly contents?: Contents
    readonly entry: EntryContent
  }> {
    const { store, name } = this.#ports
    let result = await store.read(name)
    // A store reads the entry first, and then asks whether the keychain is locked. If the user unlocks it in between,
    // an existing entry is reported as missing.
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

  /** Changes the entry. Its content is uncertain until the keychain has confirmed the change. */
  async #change(contents: EntryContent | 'deleted', change: () => Promise<Outcome>): Promise<boolean> {
    const isKnown = isEntry(contents) && this.#known.values.some((each) => isEntry(each) && isSame(each, contents))
    if (!isKnown) this.#known = { ...this.#known, values: [...this.#known.values, contents] }
    const { ok } = await change()
    if (ok) this.#learn(contents)
    else this.#doubt()
    return ok
  }
}

/** The actions that only change the marker, with the new marker. */
const MARKS = { markStored: 'stored', markRevoking: 'revoking', markSignedOut: 'signedOut', unmark: undefined } as const
const isMark = (action: KeychainAction): action is keyof typeof MARKS => action in MARKS

const isEntry = (contents: Contents | undefined): contents is EntryContent => typeof contents === 'object'
const READ_AGAIN: readonly ReadDecision[] = ['locked', 'unavailable', 'missing', 'signedOutReadAgain']
const NOTHING: EntryContent = { revocations: [] }

const kindOf = ({ session }: EntryContent): ReadOutcome => (session === undefined ? 'revocations' : 'session')
/**
 * True if the entry contains an unwanted session. A session with the same token isn't another one, because a service
 * may give a user the same token again.
 */
const isSupersededBy = ({ session }: EntryContent, { session: wanted }: EntryContent): boolean =>
  session !== undefined &&
  session.signIn !== wanted?.signIn &&
  wanted?.refreshToken.equals(session.refreshToken) !== true

const isSame = (one: EntryContent, other: EntryContent): boolean => writeEntry(one).equals(writeEntry(other))
