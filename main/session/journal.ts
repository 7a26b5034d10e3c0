/** What to do about the keychain entry of a connection, as pure functions. Every combination has a row in their test. */
import { assertNever } from '../../contract/assert-never.ts'
import type { LegacyMarker, Marker, SecretStore } from './ports.ts'

/** What should stand in the keychain. `undecided`: nobody knows yet, because the entry has not been read. */
export type Wanted = 'undecided' | 'nothing' | 'revocations' | 'session' | 'sessionAndRevocations'

/** What stands there, as far as this run of the program knows. */
export type Found =
  /** Must be read before it is changed. */
  | 'unread'
  /** The same, and it may hold a session that is not wanted. */
  | 'unreadSuperseded'
  /** Written by a version of the program that this one doesn't know. */
  | 'unknownVersion'
  /** Seems to be missing. A locked keychain may say so of what it holds. */
  | 'missing'
  | 'deleted'
  | 'current'
  /** Holds less or older than is wanted, and no session that is not wanted. */
  | 'outdated'
  /** Holds a session that is not wanted. */
  | 'superseded'

/** What the settings remember of the entry, and of the two of version 1. */
export type Mark = Marker | 'none'
export type LegacyMark = LegacyMarker | 'none'

export interface Journal {
  readonly wanted: Wanted
  readonly found: Found
  readonly mark: Mark
  readonly legacy: LegacyMark
  readonly persistence: SecretStore['persistence']
}

export type Action =
  | 'rest'
  | 'read'
  | 'markStored'
  | 'markRevoking'
  | 'markSignedOut'
  | 'unmark'
  /** Writes what is wanted. */
  | 'write'
  /** Writes the pending revocations alone. */
  | 'withdraw'
  | 'delete'
  | 'markAdopted'
  | 'removeLegacy'

/**
 * The next step towards what is wanted.
 *
 * The marker is set before an entry is stored and cleared after it is deleted, so that a crash between the two never
 * makes an entry look absent that is there. A session that is not wanted is marked as signed out before anything else,
 * and goes before the marker says `stored` again: a crash restores either the session that is wanted or none.
 */
export function nextAction(journal: Journal): Action {
  const { wanted, found, mark, legacy } = journal
  if (found === 'unknownVersion') return 'rest'
  if (wanted === 'undecided') return found === 'unread' && (mark !== 'none' || legacy !== 'none') ? 'read' : 'rest'
  if (mark !== 'signedOut' && mustEndFirst(journal)) return 'markSignedOut'
  if (found === 'unread' || found === 'unreadSuperseded') return 'read'
  if (mustAdoptFirst(journal)) return 'markAdopted'
  const action = wanted === 'nothing' ? towardsNothing(journal) : towards(wanted, journal)
  return action === 'rest' ? afterAdoption(journal) : action
}

/** Whether nothing that may stand there must ever be restored. */
function mustEndFirst({ wanted, found, mark, persistence }: Journal): boolean {
  // Memory leaves no mark of its own, but a keychain that is away may hold an entry from before.
  if (persistence === 'memory' && mark === 'none') return false
  if (found === 'superseded' || found === 'unreadSuperseded') return true
  if (wanted === 'revocations') return true
  if (wanted !== 'nothing') return false
  return found !== 'deleted' && (found !== 'missing' || mark !== 'none')
}

/** Whether a crash would bring back a session of version 1 that is not wanted, once the marker says something else. */
const mustAdoptFirst = (journal: Journal): boolean =>
  journal.persistence !== 'memory' &&
  journal.wanted !== 'revocations' &&
  journal.found === 'deleted' &&
  journal.mark !== 'none' &&
  !isAdopted(journal)

function towardsNothing({ found, mark, persistence }: Journal): Action {
  if (found === 'deleted') return mark === 'none' || persistence === 'memory' ? 'rest' : 'unmark'
  return found === 'missing' && mark === 'none' ? 'rest' : 'delete'
}

function towards(wanted: Exclude<Wanted, 'undecided' | 'nothing'>, { found, mark, persistence }: Journal): Action {
  const isInMemory = persistence === 'memory'
  if (wanted !== 'revocations' && !isInMemory && mustWithdraw(found, mark)) return 'withdraw'
  if (mark !== markerFor(wanted) && !isInMemory) return markAs(wanted)
  return found === 'current' ? 'rest' : 'write'
}

/** Whether a marker that says `stored` would bring a session back that is not wanted. What seems missing may be hidden. */
const mustWithdraw = (found: Found, mark: Mark): boolean =>
  found === 'superseded' || (found === 'missing' && mark === 'signedOut')

/** Once what is wanted stands there, it includes what version 1 had left. */
function afterAdoption(journal: Journal): Action {
  if (journal.legacy === 'none' || journal.persistence === 'memory') return 'rest'
  return isAdopted(journal) ? 'removeLegacy' : 'markAdopted'
}

/** Whether nothing of version 1 is read again. */
const isAdopted = ({ legacy }: Journal): boolean => legacy === 'none' || legacy === 'adopted'

function markerFor(wanted: Exclude<Wanted, 'undecided' | 'nothing'>): Marker {
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
const markAs = (wanted: Exclude<Wanted, 'undecided' | 'nothing'>): Action => MARK_AS[markerFor(wanted)]

/** What reading the entry has given. */
export type Read = 'session' | 'revocations' | 'missing' | 'damaged' | 'unknownVersion' | 'unreadable'

export type Decision =
  /** Go on with the session. */
  | 'resume'
  /** The session was signed out of, or another has taken its place: its token has yet to be revoked. */
  | 'revoke'
  /** There is no session; what has yet to be revoked is taken up. */
  | 'signedOut'
  /** There is no session, but the entry may hold a token that has yet to be revoked: ask again. */
  | 'signedOutAskAgain'
  /** There may be a session: say so, keep everything, ask again. */
  | 'locked'
  /** Nothing that concerns us: keep it as it is. */
  | 'keep'
  | 'unknownVersion'

/**
 * What the entry means when it has been read.
 * @param isDecided the user has signed in or out meanwhile, or an earlier read has told.
 */
export function decide(read: Read, mark: Mark, isDecided: boolean): Decision {
  const isOver = isDecided || mark === 'signedOut'
  switch (read) {
    case 'session':
      return isOver ? 'revoke' : 'resume'
    case 'revocations':
      return 'signedOut'
    case 'missing':
      // Not even of an unlocked keychain is this believed: the entry may be in another database, of KeePassXC, that is not
      // open yet.
      return isOver || mark === 'none' ? 'signedOut' : 'locked'
    case 'damaged':
      return 'keep'
    case 'unknownVersion':
      return 'unknownVersion'
    case 'unreadable':
      // The marker is set before the entry: without one there is none to wait for.
      if (isOver) return 'signedOutAskAgain'
      return mark === 'none' ? 'keep' : 'locked'
    default:
      return assertNever(read)
  }
}
