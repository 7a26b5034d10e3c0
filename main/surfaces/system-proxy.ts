import { session } from 'electron'
import { openedOnce } from './opened-once.ts'

/**
 * Asks the system's proxy settings about an address, and answers as a PAC script does (Electron:
 * `session.resolveProxy`). Chromium reads the settings, and downloads and runs a script, in a session of its own and
 * in memory: the window's session is given no way to the network.
 */
export function systemProxy(): (address: string) => Promise<string> {
  const opened = openedOnce(async () => {
    const own = session.fromPartition('latchkey-proxy')
    // SECURITY: nothing is fetched but the script. Chromium fetches a dictionary for each language, even switched off.
    own.setSpellCheckerLanguages([])
    own.setSpellCheckerEnabled(false)
    // A new session says DIRECT until it has read the settings (electron/electron#26166).
    await own.forceReloadProxyConfig()
    return own
  })
  return async (address) => (await opened()).resolveProxy(address)
}
