import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/** A text that changes when the desktop goes on or off line or gets another address. */
export function networkFingerprint(
  online: boolean,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string {
  const addresses = Object.entries(interfaces).flatMap(([name, infos]) =>
    (infos ?? []).filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
  )
  return [online ? 'online' : 'offline', ...addresses.sort()].join('\n')
}
