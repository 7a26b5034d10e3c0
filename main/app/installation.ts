import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'

/** From systemd (machine-id(5)), or from D-Bus. */
const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']

interface Place {
  readonly platform: NodeJS.Platform
  readonly dataFolder: string
  readonly machineIdFiles?: readonly string[]
  readonly hostname?: string
}

/**
 * Identifies one data folder on one computer. The id is part of the names of its entries in the keychain, and the lock
 * allows one process for each installation, so nobody else writes these entries.
 */
export function installationId({ platform, dataFolder, ...machine }: Place): string {
  const parts = [machineOf(platform, machine), realPath(dataFolder)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** The computer's name where there is no id, as on a Mac. */
export const machineId = (platform: NodeJS.Platform): string => machineOf(platform, {}) || hostname()

function machineOf(
  platform: NodeJS.Platform,
  { machineIdFiles = MACHINE_ID_FILES, hostname: name = hostname() }: Pick<Place, 'machineIdFiles' | 'hostname'>,
): string {
  // A Mac's host name changes with the network. It isn't needed, because the keychain is in the home folder, as the
  // data folder is: Macs that share the keychain also share the data folder and its lock.
  if (platform === 'darwin') return ''
  const ids = platform === 'linux' ? machineIdFiles.map(readId) : []
  return ids.find((id) => id !== '') ?? name
}

/** Empty if the file has no id, as during the first start, or on computers made from one image (machine-id(5)). */
function readId(file: string): string {
  try {
    const id = readFileSync(file, 'utf8').trim().toLowerCase()
    return /^[0-9a-f]{32}$/.test(id) && /[^0]/.test(id) ? id : ''
  } catch {
    return ''
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
