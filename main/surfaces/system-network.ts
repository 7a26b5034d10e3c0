import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { Net, PowerMonitor, Session } from 'electron'
import type { DeadlineClock } from '../base/clock.ts'

interface WakePorts {
  readonly clock: Pick<DeadlineClock, 'onCheck'>
  readonly net: Pick<Net, 'online'>
  readonly powerMonitor: Pick<PowerMonitor, 'on' | 'off'>
}

/**
 * Calls `wake` on resume and unlock (Electron: powerMonitor), because the computer may have slept. Also calls `wake`
 * when `net.online` or the computer's addresses change, because the route to the service may have changed. Electron
 * doesn't report such changes, so they are looked for whenever the clock checks its timers. Returns a function that
 * stops the calls.
 */
export function watchWake({ clock, net, powerMonitor }: WakePorts, wake: () => void): () => void {
  let last = networkFingerprint(net.online)
  const stop = clock.onCheck(() => {
    const now = networkFingerprint(net.online)
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

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/**
 * A text that changes when the desktop goes online or offline, or gets another address. A sandbox may hide the
 * addresses.
 */
export function networkFingerprint(online: boolean, read: () => Interfaces = networkInterfaces): string {
  const addresses = Object.entries(listed(read)).flatMap(([name, infos]) =>
    (infos ?? []).filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
  )
  return [online ? 'online' : 'offline', ...addresses.sort()].join('\n')
}

function listed(read: () => Interfaces): Interfaces {
  try {
    return read()
  } catch {
    return {}
  }
}

interface ElectronSessions {
  fromPartition(
    name: string,
  ): Pick<Session, 'setSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'forceReloadProxyConfig' | 'resolveProxy'>
}

/**
 * Finds the system's proxies for an address, in the format of a PAC script's result (Electron: `session.resolveProxy`).
 * Chromium may have to download a PAC script, but the window's session has no network. So this uses another session,
 * which is only in memory.
 */
export function systemProxy(sessions: ElectronSessions): (address: string) => Promise<string> {
  const open = async () => {
    const own = sessions.fromPartition('latchkey-proxy')
    // SECURITY: this session only downloads a PAC script. Without these calls, Chromium would also download
    // dictionaries.
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
