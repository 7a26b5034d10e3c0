/** The first line of a session's view: the access that tools have. */
import { assertNever } from '../../contract/assert-never.ts'
import type { AgentView, SwitchView } from '../../contract/views.ts'
import type { SignedIn } from './session.tsx'

/** The agent, and the switch that turns it on and off. */
export type AgentState = AgentView & SwitchView

export type Access =
  /** Tools have asked for tokens, and can ask again at any time. */
  | { readonly kind: 'connected' }
  /** Tools can ask, but none has done so yet. */
  | { readonly kind: 'ready' }
  /** Tools can't ask, whatever the state of the session. */
  | { readonly kind: 'closed' }
  /** Tools may lose access after this time. Milliseconds since the epoch. */
  | { readonly kind: 'until'; readonly at: number }
  /** No token is available. */
  | { readonly kind: 'none' }

export function accessOf(session: SignedIn, agent: AgentState, now: number): Access {
  const until = (token: SignedIn['token']): Access =>
    token !== undefined && token.expiresAt > now ? { kind: 'until', at: token.expiresAt } : { kind: 'none' }
  switch (session.kind) {
    case 'active':
      if (!isServing(agent)) return { kind: 'closed' }
      if (!isRefreshable(session)) return until(session.token)
      return { kind: agent.uses.length > 0 ? 'connected' : 'ready' }
    case 'unreachable':
    case 'ending':
      return until(session.token)
    default:
      return assertNever(session)
  }
}

/** True if tools can ask the agent, whatever it answers. */
export const isServing = ({ enabled, problem }: AgentState): boolean => enabled && problem === undefined

/** False if the session has an access token but no refresh token. */
export const isRefreshable = ({ token }: SignedIn): boolean => token === undefined || token.refreshesAt !== undefined
