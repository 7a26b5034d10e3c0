import { assertNever } from '../../contract/assert-never.ts'
import type { AccessToken } from '../session/secret.ts'
import { type SessionState, tokenOf } from '../session/state.ts'
import type { RefreshState, TokenState } from './token-source.ts'

/** The engine's data that the session's state doesn't contain, such as the token. */
export interface EngineData {
  /** The token whose expiry is in the state. */
  readonly accessToken?: AccessToken | undefined
  /** The earliest time on the `Clock` for a refresh that tools request. */
  readonly notBefore: number
}

/** Maps the session's state to what tools can get. The state is `undefined` if no connection is configured. */
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
    case 'active': {
      const canRefresh = state.token.refreshesAt !== undefined
      return signedIn(
        state,
        engine,
        canRefresh ? { kind: 'idle', notBefore: engine.notBefore } : { kind: 'impossible' },
      )
    }
    case 'unreachable':
      return signedIn(state, engine, { kind: 'idle', notBefore: engine.notBefore, failure: state.failure.code })
    case 'ending':
      return signedIn(state, engine, { kind: 'impossible' })
    case 'expired':
      // `running`: the user is retrying the refused refresh token, and tools wait for the result.
      return state.refresh === 'running' ? signedIn(state, engine, { kind: 'impossible' }) : { kind: 'signedOut' }
    default:
      return assertNever(state)
  }
}

/**
 * Tools get the same answer as before the sign-in began. If that answer is `signedOut` and the sign-in waits for the
 * user, the answer also says where it waits.
 */
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
  const life = tokenOf(state)
  return {
    kind: 'signedIn',
    account: state.account.username,
    ...(life === undefined || accessToken === undefined
      ? {}
      : { token: { accessToken, receivedAt: life.receivedAt, expiresAt: life.expiresAt } }),
    refresh: state.refresh === 'running' ? { kind: 'running' } : otherwise,
  }
}
