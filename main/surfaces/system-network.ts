import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { Net, PowerMonitor, Session } from 'electron'
import type { DeadlineClock } from '../base/clock.ts'

interface WakePorts {
  readonly clock: Pick<DeadlineClock, 'onCheck'>
  readonly net: Pick<Net, 'online'>
  readonly powerMonitor: Pick<PowerMonitor, 'on' | 'off'>
}

/**
 * Calls `wake` after sleep (Electron: powerMonitor), and when the network changes. Electron doesn't report the latter,
 * so the addresses are compared whenever the clock checks its timers.
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

/** Changes when the desktop goes online or offline, or gets another address. A sandbox may hide the addresses. */
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

/** The proxies in a PAC script's format. Uses a session of its own, in memory, because the window's has no network. */
export function systemProxy(sessions: ElectronSessions): (address: string) => Promise<string> {
  const open = async () => {
    const own = sessions.fromPartition('latchkey-proxy')
    // SECURITY: this session only downloads a PAC script, and no dictionaries.
    own.setSpellCheckerLanguages([])
    own.setSpellCheckerEnabled(false)
    // A new session returns DIRECT until it has read the settings (electron/electron#26166).
    await own.forceReloadProxyConfig()
    return own
  }
  let opened: ReturnType<typeof open> | undefined
  return async (address) => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return (await opened).resolveProxy(address)
  }
}
