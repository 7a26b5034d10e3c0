/**
 * Decides the next action for a connection's keychain entry, in pure functions. Their test has a row for every
 * combination.
 */
import { assertNever } from '../../contract/assert-never.ts'
import type { UnreadReason } from '../../contract/views.ts'
import type { Marker, SecretStore } from './ports.ts'

/**
 * The wanted content of the entry. `undecided`: unknown until the entry has been read, or the user signs in or out.
 * `undecidedRevocations`: also unknown, but there are tokens to revoke, which must be kept in any case.
 */
export type WantedContent =
  | 'undecided'
  | 'undecidedRevocations'
  | 'nothing'
  | 'revocations'
  | 'session'
  | 'sessionAndRevocations'

/** The entry's content as known to this run. */
export type KnownContent =
  | 'unread'
  /** The entry must be read before it is changed. It may contain an unwanted session. */
  | 'unreadSuperseded'
  /** An unknown version wrote the entry. */
  | 'unknownVersion'
  /** The entry seems to be missing, but a locked keychain may hide it. */
  | 'missing'
  | 'deleted'
  | 'current'
  /** The entry is incomplete or outdated, but contains no unwanted session. */
  | 'outdated'
  /** The entry may contain an unwanted session. */
  | 'superseded'

export type Mark = Marker | 'none'

export interface EntryStatus {
  readonly wanted: WantedContent
  readonly found: KnownContent
  readonly mark: Mark
  /** True if the settings have just refused a change of the marker. */
  readonly isMarkStuck: boolean
  readonly persistence: SecretStore['persistence']
}

export type KeychainAction =
  | 'rest'
  | 'read'
  | 'markStored'
  | 'markRevoking'
  | 'markSignedOut'
  | 'unmark'
  | 'write'
  /** Removes the session from the entry: writes only the pending revocations. */
  | 'withdraw'
  | 'delete'

/**
 * The next step towards the wanted content. The marker is set before an entry is stored and cleared after it is
 * deleted, so that no crash leaves an entry without one. An unwanted session is first marked as signed out, and removed
 * before the marker says `stored` again, so that no start after a crash restores it.
 */
export function nextAction(status: EntryStatus): KeychainAction {
  const { wanted, found, mark, isMarkStuck, persistence } = status
  if (found === 'unknownVersion') return 'rest'
  if (wanted === 'undecided') return found === 'unread' && mark !== 'none' ? 'read' : 'rest'
  if (wanted === 'undecidedRevocations') return found === 'unread' ? 'read' : 'rest'
  if (!isMarkStuck && mark !== 'signedOut' && mustEndFirst(status)) return 'markSignedOut'
  if (found === 'unread' || found === 'unreadSuperseded') return 'read'
  if (isMarkStuck && persistence === 'keychain') return withStuckMark(status)
  return wanted === 'nothing' ? towardsNothing(status) : towards(wanted, status)
}

/** True if the session must stay in memory: the marker can't be changed, and the next start would revoke the session. */
export const mustHoldBack = ({ mark, isMarkStuck, persistence }: Omit<EntryStatus, 'wanted' | 'found'>): boolean =>
  isMarkStuck && persistence === 'keychain' && mark === 'signedOut'

/**
 * The next step if the marker can't be changed. A single write takes the entry from one content to the next, so a crash
 * leaves one of the two. If the marker says `stored`, an entry without content is written instead of a deletion,
 * because the next start would search for a deleted entry. Without a marker, the next start restores the session unless
 * the keychain is locked.
 */
function withStuckMark({ wanted, found, mark }: EntryStatus): KeychainAction {
  const isRestored = mark === 'stored' || mark === 'revoking'
  if (wanted !== 'nothing' || isRestored) return found === 'current' ? 'rest' : 'write'
  return found === 'deleted' || (found === 'missing' && mark === 'none') ? 'rest' : 'delete'
}

/** True if the entry may contain a session that must never be restored, so it must first be marked as signed out. */
function mustEndFirst({ wanted, found, mark, persistence }: EntryStatus): boolean {
  // This run stores nothing in the keychain, and without a marker the keychain has no entry of an earlier run.
  if (persistence === 'memory' && mark === 'none') return false
  if (found === 'superseded' || found === 'unreadSuperseded') return true
  if (wanted === 'revocations') return true
  if (wanted !== 'nothing') return false
  return found !== 'deleted' && (found !== 'missing' || mark !== 'none')
}

function towardsNothing({ found, mark, persistence }: EntryStatus): KeychainAction {
  if (found === 'deleted') return mark === 'none' || persistence === 'memory' ? 'rest' : 'unmark'
  return found === 'missing' && mark === 'none' ? 'rest' : 'delete'
}

type Contents = Exclude<WantedContent, 'undecided' | 'undecidedRevocations' | 'nothing'>

function towards(wanted: Contents, { found, mark, persistence }: EntryStatus): KeychainAction {
  const isInMemory = persistence === 'memory'
  if (wanted !== 'revocations' && !isInMemory && mustWithdraw(found, mark)) return 'withdraw'
  if (mark !== markerFor(wanted) && !isInMemory) return markAs(wanted)
  return found === 'current' ? 'rest' : 'write'
}

/**
 * True if the next start would restore an unwanted session, once the marker says `stored`. An entry that seems missing
 * may only be hidden.
 */
const mustWithdraw = (found: KnownContent, mark: Mark): boolean =>
  found === 'superseded' || (found === 'missing' && mark === 'signedOut')

function markerFor(wanted: Contents): Marker {
  switch (wanted) {
    case 'session':
      return 'stored'
    case 'sessionAndRevocations':
      return 'revoking'
    case 'revocations':
      return 'signedOut'
    default:
      return assertNever(wanted)
  }
}

const MARK_AS = { stored: 'markStored', revoking: 'markRevoking', signedOut: 'markSignedOut' } as const
const markAs = (wanted: Contents): KeychainAction => MARK_AS[markerFor(wanted)]

export type ReadOutcome =
  | 'session'
  | 'revocations'
  | 'missing'
  | 'damaged'
  | 'unknownVersion'
  | 'locked'
  | 'unavailable'

export type ReadDecision =
  /** Resume the session. */
  | 'resume'
  /** The session was signed out or replaced: its token must be revoked. */
  | 'revoke'
  /** There is no session to restore. The entry's pending revocations are taken over. */
  | 'signedOut'
  /** There is no session to restore, but the entry may have a pending revocation: read it again. */
  | 'signedOutReadAgain'
  /** There may be a session, but the entry could not be read or found. Report why, change nothing, and read again. */
  | UnreadReason
  /** Leave the entry unchanged. */
  | 'keep'
  | 'unknownVersion'

/**
 * Decides what the content of the entry means for the session.
 * @param wanted the wanted content, which a sign-in, a sign-out or an earlier read may have decided.
 */
export function decisionAfter(read: ReadOutcome, mark: Mark, wanted: WantedContent): ReadDecision {
  const isUndecided = wanted === 'undecided' || wanted === 'undecidedRevocations'
  const isOver = !isUndecided || mark === 'signedOut'
  switch (read) {
    case 'session':
      return isOver ? 'revoke' : 'resume'
    case 'revocations':
      return 'signedOut'
    case 'missing':
      // The entry may still appear: for example, it can be in a KeePassXC database that is not open yet.
      return isOver || mark === 'none' ? 'signedOut' : 'missing'
    case 'damaged':
      return 'keep'
    case 'unknownVersion':
      return 'unknownVersion'
    case 'locked':
    case 'unavailable':
      if (isOver) return 'signedOutReadAgain'
      // The marker is set before the entry is written, so without a marker there is no entry to wait for.
      return mark === 'none' && wanted === 'undecided' ? 'keep' : read
    default:
      return assertNever(read)
  }
}
