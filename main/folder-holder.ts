import { readlinkSync } from 'node:fs'
import path from 'node:path'

/**
 * The other computer that uses this data folder, if any. Chromium locks the folder with a link that names the host and
 * the process (Chromium: process_singleton_posix.cc). On Windows there is no such link.
 */
export function otherHostOf(dataFolder: string, hostname: string): string | undefined {
  // SECURITY: a dialog shows the host, and a forged link could contain any text.
  const holder = /^(?<host>[^\p{C}\p{Z}]{1,255})-\d+$/u.exec(readLink(path.join(dataFolder, 'SingletonLock')))
    ?.groups?.['host']
  return holder === hostname ? undefined : holder
}

function readLink(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}
