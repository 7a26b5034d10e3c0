/** Which screen a state of the session is shown on. */
import type { SessionView } from '../preload/contract.ts'

export type Screen = 'connection' | 'waiting' | 'keychainLocked' | 'signIn' | 'session' | 'changePassword'

/** A form that the user opened though the session doesn't demand it. */
export type Opened = 'connection' | 'signIn' | 'changePassword' | undefined

export function screenOf(kind: SessionView['kind'], opened: Opened): Screen {
  switch (kind) {
    case 'notConfigured':
      return 'connection'
    case 'restoring':
      return 'waiting'
    case 'keychainLocked':
      return opened === 'signIn' ? 'signIn' : 'keychainLocked'
    case 'signedOut':
      return opened === 'connection' ? 'connection' : 'signIn'
    case 'signingIn':
    case 'expired':
      return 'signIn'
    case 'active':
    case 'unreachable':
      return opened === 'changePassword' ? 'changePassword' : 'session'
    case 'ending':
      return opened === 'signIn' || opened === 'changePassword' ? opened : 'session'
    default:
      return assertNever(kind)
  }
}

const OUTLIVES: Record<Exclude<Opened, undefined>, readonly SessionView['kind'][]> = {
  connection: ['signedOut'],
  signIn: ['keychainLocked', 'ending', 'signingIn', 'expired'],
  // A change may be what ends the session: then the form still has to say what became of it.
  changePassword: ['active', 'unreachable', 'ending'],
}

/** An opened form closes when the session moves to where there is nothing to fill in. */
export const stillOpened = (kind: SessionView['kind'], opened: Opened): Opened =>
  opened !== undefined && OUTLIVES[opened].includes(kind) ? opened : undefined

function assertNever(value: never): never {
  throw new Error(`no screen for ${String(value)}`)
}
