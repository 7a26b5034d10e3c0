/** The state in one line, for the tray and for screen readers. */
import { isAnswered } from '../contract/failures.ts'
import type { AppView, SessionView } from '../contract/views.ts'
import type { Texts } from './index.ts'
import { askedOf } from './sentence.ts'

type Connected = Pick<AppView, 'connection' | 'session'>

/** The state for screen readers. It doesn't mention a refresh under way. */
export const stateLine = (texts: Texts, view: Connected): string =>
  withKeychain(texts, view.session, settledLine(texts, view))

/** What screen readers announce when the state changes. After a sign-out, that is its result. */
export function announcement(texts: Texts, view: Connected): string {
  const { session, connection } = view
  const lines = session.kind === 'signedOut' ? signedOutLines(texts, session, connection?.host, Date.now()) : []
  return lines.length > 0 ? lines.join(' ') : stateLine(texts, view)
}

/** What became of a session that has ended: its revocation, and the tokens that tools already have. */
export function signedOutLines(
  texts: Texts,
  { revocation, revocationFailure, handedOutUntil = 0 }: Extract<SessionView, { kind: 'signedOut' }>,
  host: string | undefined,
  now: number,
): readonly string[] {
  const { revocation: sentence, handedOutUntil: until } = texts.signIn
  // The failure names the server that failed: the service or the identity provider.
  const server = askedOf('identityProvider', host, revocationFailure).host ?? host
  return [sentence(revocation, server), handedOutUntil > now ? until(handedOutUntil, now) : undefined].filter(
    (line) => line !== undefined,
  )
}

/** The state for the tray. It mentions a refresh under way. */
export const trayLine = (texts: Texts, view: Connected): string =>
  isRefreshing(view.session) ? withKeychain(texts, view.session, texts.state.refreshing) : stateLine(texts, view)

export const isRefreshing = (session: SessionView): boolean => 'refresh' in session && session.refresh === 'running'

/** True if the keychain has not stored the session yet. */
export const isUnsaved = (session: SessionView): boolean => 'kept' in session && session.kept === 'unsaved'

const withKeychain = (texts: Texts, session: SessionView, line: string): string =>
  isUnsaved(session) ? `${line}. ${texts.state.unsaved}` : line

function settledLine(texts: Texts, { session, connection }: Connected): string {
  const host = connection?.host
  switch (session.kind) {
    case 'active':
      return texts.state.signedIn(session.account.displayName, host)
    case 'unreachable': {
      const { failure, account } = session
      const asked = askedOf(account.grant.issuer, host, failure)
      const isNetwork = failure.code === 'unreachable' && !isAnswered(failure)
      const line = isNetwork ? texts.state.unreachable(asked) : texts.state.refreshFailing(asked)
      if (session.token === undefined) return `${line}. ${texts.state.noToken}`
      return isUnsaved(session) ? line : `${line}, ${texts.state.sessionKept}`
    }
    case 'sessionUnread':
      return texts.state.sessionUnread[session.why]
    case 'signedOut':
      return session.failure === undefined ? texts.state.signedOut : texts.state.expired
    default:
      return texts.state[session.kind]
  }
}
