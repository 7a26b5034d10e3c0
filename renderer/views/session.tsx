import type { AgentView, ConnectionView, SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { RecentlyUsed } from './recently-used.tsx'
import { SessionActions } from './session-actions.tsx'
import { SessionTrouble } from './session-trouble.tsx'
import { TokenCard } from './token-card.tsx'

export type SignedIn = Extract<SessionView, { kind: 'active' | 'unreachable' | 'ending' }>

interface SessionProps {
  readonly connection: ConnectionView | undefined
  readonly session: SignedIn
  readonly agent: AgentView
  readonly onSignIn: () => void
  readonly onChangePassword: () => void
}

/** Who is signed in where, for how long, where that is kept, and who makes use of it. */
export const Session = ({ connection, session, agent, onSignIn, onChangePassword }: SessionProps) => {
  const { texts } = useSurroundings()
  const { account, kind } = session
  const { username, displayName } = account
  const host = connection?.host
  const isWell = kind === 'active' && session.kept !== 'unwritten'
  return (
    <>
      <div class="person">
        <span class="disc" aria-hidden="true">
          {[...displayName][0]?.toUpperCase()}
        </span>
        <div class="intro">
          <ArrivalHeading>{texts.session.heading(displayName)}</ArrivalHeading>
          <p class="lead">{username === displayName ? host : texts.desktop.account(username, host)}</p>
        </div>
      </div>
      <TokenCard session={session} />
      {isShortLived(session) && (
        <Notice tone="quiet">
          <p>{texts.session.shortLived}</p>
        </Notice>
      )}
      {/* Beneath what is always there, which stays in its place when trouble comes; the rest gives way to it. */}
      {isWell ? <RecentlyUsed agent={agent} /> : <SessionTrouble session={session} host={host} />}
      <SessionActions session={session} host={host} onSignIn={onSignIn} onChangePassword={onChangePassword} />
    </>
  )
}

/** The access token expires before Latchkey would refresh it. */
const isShortLived = ({ token }: SignedIn): boolean =>
  token?.refreshesAt !== undefined && token.refreshesAt >= token.expiresAt
