/** Which screen a state of the session is shown on. */
import type { SessionView } from '../preload/contract.ts'

export type Screen = 'connection' | 'waiting' | 'keychainLocked' | 'signIn' | 'session'

/** A form that the user opened though the session doesn't demand it. */
export type Opened = 'connection' | 'signIn' | undefined

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
      return 'session'
    case 'ending':
      return opened === 'signIn' ? 'signIn' : 'session'
    default:
      return assertNever(kind)
  }
}

const OUTLIVES: Record<Exclude<Opened, undefined>, readonly SessionView['kind'][]> = {
  connection: ['signedOut'],
  signIn: ['keychainLocked', 'ending', 'signingIn', 'expired'],
}

/** An opened form closes when the session moves to where there is nothing to fill in. */
export const stillOpened = (kind: SessionView['kind'], opened: Opened): Opened =>
  opened !== undefined && OUTLIVES[opened].includes(kind) ? opened : undefined

function assertNever(value: never): never {
  throw new Error(`no screen for ${String(value)}`)
}
