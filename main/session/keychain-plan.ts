/** Pure functions that decide what happens next to a connection's entry. Their test has a row for every combination. */
import { assertNever } from '../../contract/assert-never.ts'
import type { UnreadReason } from '../../contract/views.ts'
import type { Marker, SecretStore } from './ports.ts'

/**
 * What the entry should contain. `undecided`: unknown until the entry is read, or the user signs in or out.
 * `undecidedRevocations`: also unknown, but there are tokens to revoke, which must be stored in any case.
 */
export type WantedContent =
  | 'undecided'
  | 'undecidedRevocations'
  | 'nothing'
  | 'revocations'
  | 'session'
  | 'sessionAndRevocations'

export type KnownContent =
  | 'unread'
  /** The entry may contain an unwanted session, and must be read before it is changed. */
  | 'unreadSuperseded'
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
  /** True if the settings have just refused to change the marker. */
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
  /** Leaves only the pending revocations in the entry. */
  | 'withdraw'
  | 'delete'

/**
 * The next step towards the wanted content. The marker is set before an entry is stored and cleared after it is
 * deleted, so that no crash leaves an entry without a marker. Before a session that is no longer wanted is removed from
 * the entry, the marker becomes `signedOut`. It says `stored` again only once that session has left the entry, so that
 * no crash restores the session.
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

/** Whether the session must stay in memory, because the marker is stuck and would make the next start revoke it. */
export const mustHoldBack = ({ mark, isMarkStuck, persistence }: Omit<EntryStatus, 'wanted' | 'found'>): boolean =>
  isMarkStuck && persistence === 'keychain' && mark === 'signedOut'

/**
 * The next step while the marker in the settings can't be changed. Each step is a single write, so a crash leaves the
 * old or the new content. If the marker says `stored` or `revoking`, an unwanted entry is emptied instead of deleted,
 * because the next start would wait for a missing entry. A wanted session is written even without a marker: the next
 * start restores it unless the keychain is locked.
 */
function withStuckMark({ wanted, found, mark }: EntryStatus): KeychainAction {
  const isRestored = mark === 'stored' || mark === 'revoking'
  if (wanted !== 'nothing' || isRestored) return found === 'current' ? 'rest' : 'write'
  return found === 'deleted' || (found === 'missing' && mark === 'none') ? 'rest' : 'delete'
}

/** Whether the marker must first say `signedOut`, because the entry may have a session that must not be restored. */
function mustEndFirst({ wanted, found, mark, persistence }: EntryStatus): boolean {
  // This run stores nothing in the keychain. Without a marker, earlier runs have probably stored nothing, either.
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
  const { marker, action } = MARKERS[wanted]
  if (mark !== marker && !isInMemory) return action
  return found === 'current' ? 'rest' : 'write'
}

/**
 * Whether an unwanted session must leave the entry before the marker says `stored`, because this marker would restore
 * the session. A locked keychain may hide an entry that seems missing.
 */
const mustWithdraw = (found: KnownContent, mark: Mark): boolean =>
  found === 'superseded' || (found === 'missing' && mark === 'signedOut')

const MARKERS: Readonly<Record<Contents, { readonly marker: Marker; readonly action: KeychainAction }>> = {
  session: { marker: 'stored', action: 'markStored' },
  sessionAndRevocations: { marker: 'revoking', action: 'markRevoking' },
  revocations: { marker: 'signedOut', action: 'markSignedOut' },
}

export type ReadOutcome =
  | 'session'
  | 'revocations'
  | 'missing'
  | 'damaged'
  | 'unknownVersion'
  | 'locked'
  | 'unavailable'

export type ReadDecision =
  | 'resume'
  /** The session was signed out or replaced, so its token must be revoked. */
  | 'revoke'
  /** There is no session to restore. The entry's pending revocations are added to this run's. */
  | 'signedOut'
  /** There is no session to restore, but the entry may have a pending revocation, so it must be read again. */
  | 'signedOutReadAgain'
  /**
   * The entry couldn't be read or found, but may have a session. Nothing is changed, the state names the reason, and
   * the entry is read again.
   */
  | UnreadReason
  | 'keep'
  | 'unknownVersion'

/**
 * Decides what to do with the entry after it has been read.
 * @param wanted what the entry should contain, if a sign-in, a sign-out or an earlier read has decided that
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
      // The entry may still appear, for example when a KeePassXC database is opened.
      return isOver || mark === 'none' ? 'signedOut' : 'missing'
    case 'damaged':
      return 'keep'
    case 'unknownVersion':
      return 'unknownVersion'
    case 'locked':
    case 'unavailable':
      if (isOver) return 'signedOutReadAgain'
      // Without a marker, there is probably no entry: only on a full disk does a run store one without a marker.
      return mark === 'none' && wanted === 'undecided' ? 'keep' : read
    default:
      return assertNever(read)
  }
}
