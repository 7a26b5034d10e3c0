import type { Texts } from '../../text/index.ts'
import { useSurroundings } from '../parts/context.ts'
import { useNow } from '../parts/hooks.ts'
import { LifeLine } from '../parts/life-line.tsx'
import { opens } from '../parts/return-focus.ts'
import { type Access, type AgentState, accessOf, isServing } from './access.ts'
import { RecentlyUsed } from './recently-used.tsx'
import type { SignedIn } from './session.tsx'

interface ToolsCardProps {
  readonly session: SignedIn
  readonly agent: AgentState
  /** True if the session has no problem. Only then does the card list the recently used tools. */
  readonly isWell: boolean
  /** Opens the instructions for tools. */
  readonly onTools: () => void
}

/** Shows whether tools can get tokens, and a countdown if their access will end. Updated once a minute. */
export const ToolsCard = ({ session, agent, isWell, onTools }: ToolsCardProps) => {
  const { texts } = useSurroundings()
  const now = useNow()
  const { token } = session
  const access = accessOf(session, agent, now)
  const isEnding = access.kind === 'until'
  return (
    <section class={`card ${access.kind}`} aria-label={texts.session.tools}>
      <h2>{headline(texts, access, now)}</h2>
      {isEnding && token !== undefined && <LifeLine token={token} now={now} />}
      {isWell && !isEnding && <RecentlyUsed agent={agent} />}
      {isServing(agent) && access.kind !== 'none' && (
        <button type="button" class="link" {...opens('tools')} onClick={onTools}>
          {texts.tools.heading}
        </button>
      )}
      <p class="hint">
        {isEnding && <>{texts.session.left(access.at - now)} </>}
        {access.kind === 'none' ? texts.session.toolsWait : next(texts, session, now)}
      </p>
    </section>
  )
}

function headline(texts: Texts, access: Access, now: number): string {
  const { connected, ready, access: accessUntil, noToken } = texts.session
  switch (access.kind) {
    case 'connected':
      return connected
    case 'ready':
      return ready
    case 'closed':
      return texts.agent.errorTitle
    case 'until':
      return accessUntil(access.at, now)
    case 'none':
      return noToken
  }
}

/** What happens next, such as a refresh. Empty if a notice already says it. */
function next(texts: Texts, { kind, refresh, token }: SignedIn, now: number): string {
  if (refresh === 'running') return texts.session.refreshing
  if (kind === 'unreachable') return texts.session.refreshesLater
  if (kind === 'ending' || token === undefined) return ''
  return token.refreshesAt === undefined ? texts.session.asksAgain : texts.session.refreshesAt(token.refreshesAt, now)
}
