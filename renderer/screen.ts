import { assertNever } from '../contract/assert-never.ts'
import { nearEndOf } from '../contract/session-end.ts'
import type { SessionView } from '../contract/views.ts'
import type { Tool } from './views/tools/snippets.ts'

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
  | 'connectionSettings'
  | 'addConnection'
  | 'check'
  | 'about'

export interface Step {
  readonly screen:
    | Exclude<Screen, 'connection' | 'waiting' | 'sessionUnread' | 'unknownVersion' | 'session'>
    | 'signOut'
  readonly connection?: string
  readonly tool?: Tool
}

export function screenOf(kind: SessionView['kind'], step: Step | undefined): Screen {
  if (step !== undefined && step.screen !== 'signOut') return step.screen
  switch (kind) {
    case 'notConfigured':
      return 'connection'
    case 'restoring':
      return 'waiting'
    case 'sessionUnread':
    case 'unknownVersion':
      return kind
    case 'signedOut':
    case 'signingIn':
    case 'expired':
      return 'signIn'
    case 'active':
    case 'unreachable':
    case 'ending':
      return 'session'
    default:
      return assertNever(kind)
  }
}

const SIGNED_IN: readonly SessionView['kind'][] = ['active', 'unreachable', 'ending']

/** For these screens, the states of the session in which they stay open. The other screens stay open in every state. */
const OUTLIVES: { readonly [S in Step['screen']]?: readonly SessionView['kind'][] } = {
  signIn: ['restoring', 'sessionUnread', 'unknownVersion', 'unreachable', 'ending', 'signingIn', 'expired'],
  signOut: SIGNED_IN,
  // A password change may end the session, but the form must still show its result.
  changePassword: SIGNED_IN,
  tools: SIGNED_IN,
}

/** True if the screen can stay open in this state. The sign-in form also stays open while the session's end is near. */
export const outlives = (session: SessionView, { screen }: Step): boolean =>
  (OUTLIVES[screen]?.includes(session.kind) ?? true) ||
  (screen === 'signIn' && nearEndOf(session, Date.now()) !== undefined)
