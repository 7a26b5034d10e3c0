import type { AppView, ConnectionSessionView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import type { Sentence } from '../../text/sentence.ts'

/**
 * What a notice is about. `ended`: a session has ended. `signIn`: a session is about to end, so the user must sign in.
 * `keychain`: the session can't be stored in the keychain. `noTray`: the app still runs, but has no tray icon.
 */
export type Topic = 'ended' | 'signIn' | 'keychain' | 'noTray'

export interface Notice extends Sentence {
  readonly topic: Topic
  /** The connection that the notice is about; absent for `noTray`. */
  readonly connection?: string
}

export interface NotificationContext {
  /** The desktop's wall clock: milliseconds since the epoch. */
  readonly now: number
  /** The window was closed, and this desktop has no tray to show that the app still runs. */
  readonly hasNoTray: boolean
}

/** All notices that apply now: those about sessions, in the order of the connections, then the one about the tray. */
export function notificationModel(
  view: Pick<AppView, 'connections'>,
  texts: Texts,
  { now, hasNoTray }: NotificationContext,
): readonly Notice[] {
  const ofSessions = view.connections.flatMap((each): readonly Notice[] => {
    const notice = sessionNotice(each, texts, now)
    return notice === undefined ? [] : [{ ...notice, connection: each.name }]
  })
  return hasNoTray ? [...ofSessions, { topic: 'noTray', ...texts.tray.noTray }] : ofSessions
}

function sessionNotice(
  { session, connection }: ConnectionSessionView,
  { notifications }: Texts,
  now: number,
): Notice | undefined {
  const host = connection?.host
  switch (session.kind) {
    case 'ending': {
      const { expiresAt, refreshesAt } = session.token
      // The end of a session without a refresh token is expected: it is not an error.
      const say = refreshesAt === undefined ? notifications.aboutToEnd : notifications.ending
      return { topic: 'signIn', ...say(host, expiresAt, now) }
    }
    case 'expired':
      return { topic: 'ended', ...notifications.ended(host) }
    case 'signedOut':
      // If there is no failure, the user has chosen to sign out and needs no notice.
      return session.failure === undefined ? undefined : { topic: 'ended', ...notifications.ended(host) }
    case 'active':
    case 'unreachable':
      return session.kept === 'unwritten' ? { topic: 'keychain', ...notifications.unwritten } : undefined
    case 'notConfigured':
    case 'restoring':
    case 'sessionUnread':
    case 'unknownVersion':
    case 'signingIn':
      return undefined
  }
}
