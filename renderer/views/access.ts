/** The first line of a session's view: what tools can get. */
import { assertNever } from '../../contract/assert-never.ts'
import type { AgentView } from '../../contract/views.ts'
import type { SignedIn } from './session.tsx'

export type Access =
  /** Tools have asked, and can ask again at any time. */
  | { readonly kind: 'connected' }
  /** The same, and none has asked yet. */
  | { readonly kind: 'ready' }
  /** Tools can't ask, whatever the state of the session. */
  | { readonly kind: 'closed' }
  /** Tools may get no token after this time. Milliseconds since the epoch. */
  | { readonly kind: 'until'; readonly at: number }
  /** No token is available. */
  | { readonly kind: 'none' }

export function accessOf(session: SignedIn, agent: AgentView, now: number): Access {
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

/** Whether tools can ask, whatever they are answered. */
export const isServing = ({ enabled, problem }: AgentView): boolean => enabled && problem === undefined

/** An identity provider may have given no refresh token: then the access token is all there is. */
export const isRefreshable = ({ token }: SignedIn): boolean => token === undefined || token.refreshesAt !== undefined
