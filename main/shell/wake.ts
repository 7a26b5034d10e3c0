import { net, powerMonitor } from 'electron'
import type { Clock } from '../session/ports.ts'
import { networkFingerprint } from './network-fingerprint.ts'

/** How often the network is looked at: milliseconds. The system tells nobody when it changes. */
const PAUSE = 30_000

/**
 * Calls `wake` when time may have passed unseen or the way to the service may have changed: on resume and unlock
 * (Electron: powerMonitor), and when `net.online` or the set of network addresses changes. Returns the undo.
 */
export function watchWake(clock: Clock, wake: () => void): () => void {
  const fingerprint = () => networkFingerprint(net.online)
  let last = fingerprint()
  let stop = () => {}
  const lookLater = () => {
    // The clock's own timer wakes the computer about as often: no second one does.
    stop = clock.at(clock.now() + PAUSE, look)
  }
  const look = () => {
    lookLater()
    const now = fingerprint()
    if (now === last) return
    last = now
    wake()
  }
  lookLater()
  powerMonitor.on('resume', wake)
  powerMonitor.on('unlock-screen', wake)
  return () => {
    stop()
    powerMonitor.off('resume', wake)
    powerMonitor.off('unlock-screen', wake)
  }
}
