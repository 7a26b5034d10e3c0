import { assertNever } from '../../contract/assert-never.ts'
import type { SessionView, TokenView } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import type { SessionState, TokenLife } from './state.ts'

/** The view of the state, with times on this desktop's wall clock. */
export function viewOf(state: SessionState, clock: Pick<Clock, 'now' | 'wall'>): SessionView {
  const offset = clock.wall() - clock.now()
  const token = (life: TokenLife): TokenView => ({
    receivedAt: life.receivedAt + offset,
    expiresAt: life.expiresAt + offset,
    ...(life.refreshesAt === undefined ? {} : { refreshesAt: life.refreshesAt + offset }),
  })
  switch (state.kind) {
    case 'restoring':
    case 'sessionUnread':
    case 'unknownVersion':
      return state
    case 'expired':
      return state
    case 'signingIn':
      return state.challenge === undefined ? { kind: 'signingIn' } : { kind: 'signingIn', challenge: state.challenge }
    case 'signedOut': {
      const { handedOutUntil, ...rest } = state
      return handedOutUntil === undefined ? rest : { ...rest, handedOutUntil: handedOutUntil + offset }
    }
    case 'active':
    case 'ending':
      return { ...state, token: token(state.token) }
    case 'unreachable': {
      const { token: life, ...rest } = state
      return {
        ...rest,
        retryAt: state.retryAt + offset,
        ...(life === undefined ? {} : { token: token(life) }),
      }
    }
    default:
      return assertNever(state)
  }
}
