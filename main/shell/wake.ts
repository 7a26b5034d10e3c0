import { net, powerMonitor } from 'electron'
import { networkFingerprint } from './network-fingerprint.ts'

/** How often the network is looked at: milliseconds. The system tells nobody when it changes. */
const LOOK = 30_000

/**
 * Calls `wake` when time may have passed unseen or the way to the service may have changed: on resume and unlock
 * (Electron: powerMonitor), and when `net.online` or the set of network addresses changes. Returns the undo.
 */
export function watchWake(wake: () => void): () => void {
  const fingerprint = () => networkFingerprint(net.online)
  let last = fingerprint()
  const timer = setInterval(() => {
    const now = fingerprint()
    if (now === last) return
    last = now
    wake()
  }, LOOK)
  powerMonitor.on('resume', wake)
  powerMonitor.on('unlock-screen', wake)
  return () => {
    clearInterval(timer)
    powerMonitor.off('resume', wake)
    powerMonitor.off('unlock-screen', wake)
  }
}
