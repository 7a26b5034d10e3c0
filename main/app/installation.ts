import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'

/** The files in which systemd (machine-id(5)) or D-Bus stores the computer's id. */
const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']

interface Installation {
  readonly platform: NodeJS.Platform
  readonly dataFolder: string
  readonly machineIdFiles?: readonly string[]
  readonly hostname?: string
}

/** Identifies one data folder on one computer. Only one process writes keychain entries with this id. */
export function installationId({ platform, dataFolder, ...machine }: Installation): string {
  const parts = [machineOf(platform, machine), realPath(dataFolder)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** The computer's id, or its host name if it has no id. A Mac has none. */
export const machineId = (platform: NodeJS.Platform): string => machineOf(platform, {}) || hostname()

function machineOf(
  platform: NodeJS.Platform,
  { machineIdFiles = MACHINE_ID_FILES, hostname: name = hostname() }: Pick<Installation, 'machineIdFiles' | 'hostname'>,
): string {
  // A Mac's host name changes with the network. Macs that share the home folder's keychain also share the data folder.
  if (platform === 'darwin') return ''
  const ids = platform === 'linux' ? machineIdFiles.map(readId) : []
  return ids.find((id) => id !== '') ?? name
}

/** Empty if the file has no id, for example during a computer's first start (machine-id(5)). */
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
