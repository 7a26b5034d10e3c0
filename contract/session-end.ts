import type { SessionEnd, SessionView } from './views.ts'

type ExpectedEnd = Extract<SessionEnd, { kind: 'expected' }>

/** Returns the session's expected end while the user must be warned of it, and otherwise `undefined`. */
export function nearEndOf(session: SessionView, now: number): ExpectedEnd | undefined {
  if (session.kind !== 'active' && session.kind !== 'unreachable') return undefined
  const { end } = session
  if (end?.kind !== 'expected' || end.warnsAt === undefined) return undefined
  return now >= end.warnsAt && now < end.at ? end : undefined
}
