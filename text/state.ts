import { isAnswered } from '../contract/failures.ts'
import { isOver } from '../contract/session-end.ts'
import type { AppView, ConnectionSessionView, SessionView, SignInNeed, ToolName } from '../contract/views.ts'
import type { Texts } from './index.ts'
import { askedOf } from './sentence.ts'

type Connected = Pick<AppView, 'connection' | 'session'>

/** The state for screen readers, which doesn't mention a refresh under way. */
export const stateLine = (texts: Texts, view: Connected): string =>
  withKeychain(texts, view.session, settledLine(texts, view))

/** The state or the result of a sign-out, and then which tools need a sign-in. */
export function announcement(
  texts: Texts,
  view: Connected & Pick<AppView, 'needs' | 'shown'>,
): readonly [line: string, need: string] {
  const { session, connection, shown } = view
  const lines = session.kind === 'signedOut' ? signedOutLines(texts, session, connection?.host, Date.now()) : []
  const line = lines.length > 0 ? lines.join(' ') : stateLine(texts, view)
  const need = needOf(view, { name: shown, session })
  return [line, need === undefined ? '' : `${needLine(texts, need)}.`]
}

/** Whether the refresh token is revoked, and until when tools can use the tokens they have. */
export function signedOutLines(
  texts: Texts,
  { revocation, revocationFailure, handedOutUntil = 0 }: Extract<SessionView, { kind: 'signedOut' }>,
  host: string | undefined,
  now: number,
): readonly string[] {
  const { revocation: sentence, handedOutUntil: until } = texts.signIn
  const server = askedOf('identityProvider', host, revocationFailure).host ?? host
  return [sentence(revocation, server), handedOutUntil > now ? until(handedOutUntil, now) : undefined].filter(
    (line) => line !== undefined,
  )
}

export const labelOf = ({ host, name }: ToolName): string =>
  host === undefined ? isolated(name) : `${isolated(host)}: ${isolated(name)}`

/** SECURITY: tools choose their names. FSI and PDI keep right-to-left letters from reordering the text around them. */
const isolated = (name: string): string => (/^[ -~]*$/.test(name) ? name : `\u2068${name}\u2069`)

/** The tools of a connection that need a sign-in. There are none while a token may still arrive without a sign-in. */
export function needOf(
  { needs }: Pick<AppView, 'needs'>,
  { name, session }: Pick<ConnectionSessionView, 'name' | 'session'>,
): SignInNeed | undefined {
  return isOver(session) ? needs.find(({ connection }) => connection === name) : undefined
}

export const needLine = (texts: Texts, { waiting, first }: SignInNeed): string =>
  waiting.length > 0
    ? texts.state.waiting(waiting.map(labelOf))
    : texts.notifications.asked(labelOf(first), undefined).title

/** The state for the tray, which mentions a refresh under way. */
export const trayLine = (texts: Texts, view: Connected): string =>
  isRefreshing(view.session) ? withKeychain(texts, view.session, texts.state.refreshing) : stateLine(texts, view)

export const isRefreshing = (session: SessionView): boolean => 'refresh' in session && session.refresh === 'running'

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
