/** Determines which screen the window shows in each state of the session. */
import { assertNever } from '../contract/assert-never.ts'
import type { SessionView } from '../contract/views.ts'

export type Screen =
  | 'connection'
  | 'waiting'
  | 'sessionUnread'
  | 'unknownVersion'
  | 'signIn'
  | 'session'
  | 'changePassword'
  | 'tools'
  | 'settings'
  | 'about'

/** The screen or question that the user opened, if any. */
export type Opened = 'signIn' | 'signOut' | 'changePassword' | 'tools' | 'settings' | 'about' | undefined

export function screenOf(kind: SessionView['kind'], opened: Opened): Screen {
  if (opened === 'settings' || opened === 'about') return opened
  switch (kind) {
    case 'notConfigured':
      return 'connection'
    case 'restoring':
      return opened === 'signIn' ? 'signIn' : 'waiting'
    case 'sessionUnread':
    case 'unknownVersion':
      return opened === 'signIn' ? 'signIn' : kind
    case 'signedOut':
    case 'signingIn':
    case 'expired':
      return 'signIn'
    case 'active':
      return opened === 'changePassword' || opened === 'tools' ? opened : 'session'
    case 'unreachable':
    case 'ending':
      return opened === 'signIn' || opened === 'changePassword' || opened === 'tools' ? opened : 'session'
    default:
      return assertNever(kind)
  }
}

const OUTLIVES: Record<'signIn' | 'signOut' | 'changePassword' | 'tools', readonly SessionView['kind'][]> = {
  signIn: ['restoring', 'sessionUnread', 'unknownVersion', 'unreachable', 'ending', 'signingIn', 'expired'],
  signOut: ['active', 'unreachable', 'ending'],
  // A password change may end the session, but the form must still show the result of the change.
  changePassword: ['active', 'unreachable', 'ending'],
  tools: ['active', 'unreachable', 'ending'],
}

/** `opened`, or `undefined` if it can't stay open in this state of the session. */
export function stillOpened(kind: SessionView['kind'], opened: Opened): Opened {
  if (opened === undefined || opened === 'settings' || opened === 'about') return opened
  return OUTLIVES[opened].includes(kind) ? opened : undefined
}
