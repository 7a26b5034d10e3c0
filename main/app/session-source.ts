import { assertNever } from '../../contract/assert-never.ts'
import { type Failure, isAnswered } from '../../contract/failures.ts'
import type { AgentConnections } from '../agent/connection-endpoints.ts'
import type { NoTokenReason, RefreshState, TokenSource, TokenState } from '../agent/token-source.ts'
import type { Clock } from '../base/clock.ts'
import type { AccessToken } from '../base/secret.ts'
import { signOut } from '../features/sign-out.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'
import type { SessionEngine } from '../session/session-engine.ts'
import type { SessionState } from '../session/state.ts'

/** The session is looked up for each use, because it can be replaced. */
type SessionsOfConnections = Pick<ConnectionManager, 'isRestoring' | 'subscribe'> & {
  session(name: string): Pick<SessionEngine, 'state' | 'accessToken' | 'earliestToolRefresh' | 'refresh'> | undefined
}

export const agentConnections = (connections: ConnectionManager, clock: Clock): AgentConnections => ({
  get names() {
    return connections.names
  },
  source: (name) => new SessionSource(connections, name),
  signOut: (name) => signOut(name, { connections, clock }),
})

export class SessionSource implements TokenSource {
  readonly #sessions: SessionsOfConnections
  readonly #name: string

  constructor(sessions: SessionsOfConnections, name: string) {
    this.#sessions = sessions
    this.#name = name
  }

  get tokenState(): TokenState {
    const session = this.#sessions.session(this.#name)
    // `signedOut` would make a tool stop asking, so the answer is `restoring` until the session's state is known.
    if (session === undefined && this.#sessions.isRestoring(this.#name)) return { kind: 'restoring' }
    return tokenStateOf(session?.state, {
      accessToken: session?.accessToken,
      notBefore: session?.earliestToolRefresh ?? 0,
    })
  }

  refresh(): void {
    void this.#sessions.session(this.#name)?.refresh()
  }

  subscribe(listener: () => void): () => void {
    return this.#sessions.subscribe(listener)
  }
}

interface EngineData {
  readonly accessToken?: AccessToken | undefined
  /** The earliest time on the `Clock` for a refresh that tools request. */
  readonly notBefore: number
}

const reasonOf = (failure: Failure): NoTokenReason =>
  failure.code === 'unreachable' && isAnswered(failure) ? 'unavailable' : failure.code

/** The state is `undefined` if no connection is configured. */
export function tokenStateOf(state: SessionState | undefined, engine: EngineData): TokenState {
  switch (state?.kind) {
    case undefined:
    case 'unknownVersion':
    case 'signedOut':
      return { kind: 'signedOut' }
    case 'restoring':
      return { kind: 'restoring' }
    case 'sessionUnread':
      return state.why === 'missing' ? { kind: 'signedOut' } : { kind: 'locked' }
    case 'signingIn':
      return whileSigningIn(state, engine)
    case 'active':
      if (state.token.refreshesAt === undefined) return signedIn(state, engine, { kind: 'impossible' })
      return signedIn(state, engine, { kind: 'idle', notBefore: engine.notBefore })
    case 'unreachable':
      return signedIn(state, engine, {
        kind: 'idle',
        notBefore: engine.notBefore,
        failure: reasonOf(state.failure),
        ...(state.account.grant.issuer === 'service' ? {} : { issuer: state.account.grant.issuer }),
      })
    case 'ending':
      return signedIn(state, engine, { kind: 'impossible' })
    case 'expired':
      // While the refused refresh is tried again at the user's request, tools wait for its result.
      return state.refresh === 'running' ? signedIn(state, engine, { kind: 'impossible' }) : { kind: 'signedOut' }
    default:
      return assertNever(state)
  }
}

/** Tools get the answer for the earlier session. If it has no token, they learn where the user must continue. */
function whileSigningIn(
  { from, challenge }: Extract<SessionState, { kind: 'signingIn' }>,
  engine: EngineData,
): TokenState {
  const tokenState = tokenStateOf(from, engine)
  if (tokenState.kind !== 'signedOut' || challenge === undefined) return tokenState
  return { kind: 'signedOut', waitingIn: challenge.kind === 'browser' ? 'browser' : 'window' }
}

type SignedIn = Extract<SessionState, { account: unknown }>

function signedIn(state: SignedIn, { accessToken }: EngineData, otherwise: RefreshState): TokenState {
  const life = 'token' in state ? state.token : undefined
  return {
    kind: 'signedIn',
    account: state.account.username,
    ...(life && accessToken && { token: { accessToken, receivedAt: life.receivedAt, expiresAt: life.expiresAt } }),
    refresh: state.refresh === 'running' ? { kind: 'running' } : otherwise,
  }
}
