import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/**
 * A text that changes when the desktop goes on or off line or gets another address. Where a sandbox keeps the addresses
 * back (Node: os.networkInterfaces throws), it changes with the former alone.
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
