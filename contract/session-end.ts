import type { SessionEnd, SessionView } from './views.ts'

/** Whether only a new sign-in gives tools a token: none is under way, and no settings are missing. */
const IS_OVER: Readonly<Record<Exclude<SessionView['kind'], 'sessionUnread'>, boolean>> = {
  notConfigured: false,
  restoring: false,
  unknownVersion: true,
  signedOut: true,
  signingIn: false,
  active: false,
  unreachable: false,
  ending: false,
  expired: true,
}

export const isOver = (session: SessionView): boolean =>
  session.kind === 'sessionUnread' ? session.why === 'missing' : IS_OVER[session.kind]

type ExpectedEnd = Extract<SessionEnd, { kind: 'expected' }>

/** Returns the session's expected end while the user must be warned of it, and otherwise `undefined`. */
export function nearEndOf(session: SessionView, now: number): ExpectedEnd | undefined {
  if (session.kind !== 'active' && session.kind !== 'unreachable') return undefined
  const { end } = session
  if (end?.kind !== 'expected' || end.warnsAt === undefined) return undefined
  return now >= end.warnsAt && now < end.at ? end : undefined
}
