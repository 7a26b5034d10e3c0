import { assertNever } from '../../contract/assert-never.ts'
import { GRANTS, type GrantDescription } from '../../contract/grants.ts'
import type { Flow } from '../../contract/setting-rows.ts'
import type { ConnectionView, SessionView, TokenView } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { type Connection, type IdentityProviderSettings, isSameConnection } from './connection.ts'
import type { SessionState, TokenLife } from './state.ts'

/**
 * What the window sees of a connection.
 * @param set the connection in the settings
 * @param open the connection whose session is open
 */
export function viewOf(
  set: Connection | undefined,
  open: { readonly connection: Connection; readonly session: { readonly state: SessionState } } | undefined,
  clock: Pick<Clock, 'now' | 'wall'>,
): { readonly connection?: ConnectionView; readonly session: SessionView } {
  // If the session matches the settings, show the settings: their source (user or administrator) may have changed.
  const shown = open === undefined || isSameConnection(set, open.connection) ? set : open.connection
  if (shown === undefined) return { session: { kind: 'notConfigured' } }
  return {
    connection: connectionView(shown),
    session: open === undefined ? { kind: 'restoring' } : sessionView(open.session.state, clock),
  }
}

/** The provider's flow that each of these grants needs. A grant that isn't listed is offered with every flow. */
const FLOWS_OF: ReadonlyMap<string, Flow> = new Map([
  [GRANTS.passwordRealm.name, 'password-realm'],
  [GRANTS.browser.name, 'browser'],
])

const offeredGrants = (provider: IdentityProviderSettings | undefined): readonly GrantDescription[] =>
  Object.values(GRANTS).filter(({ issuer, name }) => {
    if (issuer === 'service') return true
    return provider !== undefined && (FLOWS_OF.get(name) ?? provider.flow) === provider.flow
  })

export function connectionView({
  baseAddress,
  host,
  displayName,
  source,
  dataAddress,
  identityProvider,
}: Connection): ConnectionView {
  return {
    baseAddress,
    host,
    ...(displayName === undefined ? {} : { displayName }),
    source,
    ...(dataAddress === undefined ? {} : { dataAddress }),
    grants: offeredGrants(identityProvider),
  }
}

/** The session as the window sees it, with times on this desktop's wall clock. */
export function sessionView(state: SessionState, clock: Pick<Clock, 'now' | 'wall'>): SessionView {
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
