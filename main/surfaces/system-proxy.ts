import type { Session } from 'electron'

/** The part of Electron's `session` that `systemProxy` uses. */
interface Sessions {
  fromPartition(
    name: string,
  ): Pick<Session, 'setSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'forceReloadProxyConfig' | 'resolveProxy'>
}

/**
 * Returns a function that determines the proxies for an address from the system's proxy settings. The result has the
 * format of a PAC script's result (Electron: `session.resolveProxy`). The function uses a separate session in memory,
 * because Chromium may have to download a PAC script, and the window's session has no access to the network.
 */
export function systemProxy(sessions: Sessions): (address: string) => Promise<string> {
  const open = async () => {
    const own = sessions.fromPartition('latchkey-proxy')
    // SECURITY: only the proxy script is downloaded. By default Chromium fetches a dictionary for each language, even
    // with the spell checker off.
    own.setSpellCheckerLanguages([])
    own.setSpellCheckerEnabled(false)
    // A new session returns DIRECT until it has read the settings (electron/electron#26166).
    await own.forceReloadProxyConfig()
    return own
  }
  let opened: ReturnType<typeof open> | undefined
  return async (address) => {
    opened ??= open().catch((error: unknown) => {
      // The next call tries again.
      opened = undefined
      throw error
    })
    return (await opened).resolveProxy(address)
  }
}
