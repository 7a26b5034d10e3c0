import type { SessionState } from '../state.ts'
import type { Desktop } from './desktop.ts'
import type { Family } from './families.ts'
import type { ServiceRequest } from './model-service.ts'

/** One of the copies, as far as it can be known from outside. Moments are counted, not timed. */
export interface Copy {
  readonly desktop: Desktop
  /** The session that its user has. */
  mine: Family | undefined
  isSignedOut: boolean
  turns: number
  /** The user's own sign-in, and the session that it began. */
  asked: ServiceRequest | undefined
  delivered: Family | undefined
  /** It is about to change the entry: for a login, whether its user asked for it or not, or for what it has left. */
  isChanging: boolean
  /** When its user last signed in or out. */
  actedAt: number
  /** The refresh tokens that it has sent since its start. */
  sent: Set<string>
  /** The last of them, and the newest that it had got by then. */
  sending: string | undefined
  newestThen: string | undefined
  /** It says that the keychain doesn't have what it holds, and so doesn't believe what stands there. */
  isUnwritten: boolean
  lastKind: SessionState['kind']
  readonly cancelled: Set<ServiceRequest>
  /** The tokens that it held when a sign-in took their place: what it sends of them is to revoke them. */
  readonly replaced: Set<string>
}

export const watched = (desktop: Desktop): Copy => ({
  desktop,
  mine: undefined,
  isSignedOut: false,
  turns: 0,
  asked: undefined,
  delivered: undefined,
  isChanging: false,
  actedAt: 0,
  sent: new Set(),
  sending: undefined,
  newestThen: undefined,
  isUnwritten: false,
  lastKind: 'restoring',
  cancelled: new Set(),
  replaced: new Set(),
})
