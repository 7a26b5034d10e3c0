import type { SignedOut } from '../agent/sign-out.ts'
import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'
import type { SessionEngine } from '../session/session-engine.ts'
import { baseStateOf } from '../session/state.ts'

interface SignOutPorts {
  readonly connections: Pick<ConnectionManager, 'isRestoring' | 'until'> & {
    session(name: string): Pick<SessionEngine, 'state' | 'signOut'> | undefined
  }
  readonly clock: Pick<Clock, 'now' | 'wall' | 'at'>
}

/** The time for opening the connection, and then for the issuer's response. The sign-out itself is immediate. */
const TIMEOUT_MS = 5_000

export async function signOut(connection: string, { connections, clock }: SignOutPorts): Promise<SignedOut> {
  const opened = connections.until(
    () => connections.session(connection) !== undefined || !connections.isRestoring(connection),
  )
  await withTimeout(clock, TIMEOUT_MS, opened, undefined)
  const session = connections.session(connection)
  if (session === undefined) {
    return { connection, result: connections.isRestoring(connection) ? 'starting' : 'notSignedIn' }
  }
  const before = baseStateOf(session.state)
  const outcome = await withTimeout(clock, TIMEOUT_MS, session.signOut(), 'late' as const)
  if (outcome !== 'late' && !outcome.ok) return { connection, result: 'kept' }
  const { state } = session
  // The user has signed in again during the wait.
  if (state.kind !== 'signedOut') return { connection, result: 'ended' }
  const { revocation, handedOutUntil: end } = state
  const handedOutUntil = end === undefined ? 0 : end - clock.now() + clock.wall()
  const rest = handedOutUntil > clock.wall() ? { connection, handedOutUntil } : { connection }
  if (before.kind === 'signedOut' && before.revocation !== 'pending') return { ...rest, result: 'notSignedIn' }
  return { ...rest, result: RESULTS[revocation] }
}

const RESULTS = {
  none: 'ended',
  done: 'revoked',
  pending: 'revoking',
  refused: 'refused',
  notPossible: 'notPossible',
} as const
