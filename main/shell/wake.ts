import { net, powerMonitor } from 'electron'
import type { DeadlineClock } from '../session/clock.ts'
import { networkFingerprint } from './network-fingerprint.ts'

/**
 * Calls `wake` when time may have passed unseen or the way to the service may have changed: on resume and unlock
 * (Electron: powerMonitor), and when `net.online` or the set of network addresses changes, which the system tells nobody:
 * they are looked at with each check of the clock. Returns the undo.
 */
export function watchWake(clock: Pick<DeadlineClock, 'onCheck'>, wake: () => void): () => void {
  const fingerprint = () => networkFingerprint(net.online)
  let last = fingerprint()
  const stop = clock.onCheck(() => {
    const now = fingerprint()
    if (now === last) return
    last = now
    wake()
  })
  powerMonitor.on('resume', wake)
  powerMonitor.on('unlock-screen', wake)
  return () => {
    stop()
    powerMonitor.off('resume', wake)
    powerMonitor.off('unlock-screen', wake)
  }
}

/**
 * Lets the clock rest while `isAtRest` says so, but not from the moment when the system goes to sleep until it tells of
 * waking: after hibernation logind may not (systemd issue 30666).
 */
export function restBetweenSleeps(clock: Pick<DeadlineClock, 'restWhile'>, isAtRest: () => boolean): void {
  const rest = () => clock.restWhile(isAtRest)
  powerMonitor.on('suspend', () => clock.restWhile(() => false))
  powerMonitor.on('resume', rest)
  rest()
}
