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
