import type { ConnectionView, SessionView } from '../../contract/views.ts'
import { useSurroundings } from '../parts/context.ts'
import { ArrivalHeading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import type { AgentState } from './access.ts'
import { SessionActions } from './session-actions.tsx'
import { SessionError } from './session-error.tsx'
import { ToolsCard } from './tools-card.tsx'

export type SignedIn = Extract<SessionView, { kind: 'active' | 'unreachable' | 'ending' }>

interface SessionProps {
  readonly connection: ConnectionView | undefined
  readonly session: SignedIn
  readonly agent: AgentState
  /** True while asking the user if they want to sign out. */
  readonly asksSignOut: boolean
  readonly onAskSignOut: (asks: boolean) => void
  readonly onSignIn: () => void
  readonly onChangePassword: () => void
  readonly onTools: () => void
}

/** The account, the access that tools have, and where the session is stored. */
export const Session = ({ connection, session, agent, onTools, ...actions }: SessionProps) => {
  const { texts } = useSurroundings()
  const { account, kind } = session
  const { username, displayName } = account
  const host = connection?.host
  const isWell = kind === 'active' && session.kept !== 'unwritten'
  return (
    <>
      <div class="person">
        <span class="disc" aria-hidden="true">
          {[...(displayName || (host ?? ''))][0]?.toUpperCase()}
        </span>
        <div class="intro">
          <ArrivalHeading>{texts.session.heading(displayName, host)}</ArrivalHeading>
          {/* Without a name, the heading already names the host. */}
          {displayName !== '' && (
            <p class="lead">{username === displayName ? host : texts.desktop.account(username, host)}</p>
          )}
        </div>
      </div>
      <ToolsCard session={session} agent={agent} isWell={isWell} onTools={onTools} />
      {isShortLived(session) && (
        <Notice tone="quiet">
          <p>{texts.session.shortLived}</p>
        </Notice>
      )}
      {/* Problems are shown below the permanent content, which therefore doesn't move when a problem appears. */}
      {!isWell && <SessionError session={session} host={host} />}
      <SessionActions session={session} host={host} uses={agent.uses} {...actions} />
    </>
  )
}

/** True if the access token expires before Latchkey would refresh it. */
const isShortLived = ({ token }: SignedIn): boolean =>
  token?.refreshesAt !== undefined && token.refreshesAt >= token.expiresAt
