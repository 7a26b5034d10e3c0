/** The state in one line, for the tray and for screen readers. */
import type { AppView, SessionView } from '../preload/contract.ts'
import type { Texts } from './index.ts'
import { askedOf } from './sentence.ts'

/** What has settled: a renewal that merely runs changes nothing here. */
export function stateLine(texts: Texts, view: Pick<AppView, 'connection' | 'session'>): string {
  const { session, connection } = view
  const host = connection?.host
  switch (session.kind) {
    case 'active': {
      const line = texts.state.signedIn(session.account.displayName, host)
      return session.kept === 'unwritten' ? `${line}. ${texts.state.unwritten}` : line
    }
    case 'unreachable': {
      const { failure, account } = session
      const asked = askedOf(account.method, host, failure)
      return failure.code === 'unreachable' ? texts.state.unreachable(asked) : texts.state.troubled(asked)
    }
    case 'ending':
    case 'expired':
      return texts.state.needsYou
    default:
      return texts.state[session.kind]
  }
}

/** The same, but a renewal under way shows. */
export function trayLine(texts: Texts, view: Pick<AppView, 'connection' | 'session'>): string {
  return isRenewing(view.session) ? texts.state.renewing : stateLine(texts, view)
}

export const isRenewing = (session: SessionView): boolean => 'renewal' in session && session.renewal === 'running'
