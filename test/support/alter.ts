import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createPackageWithOptions, extractAll } from '@electron/asar'
import type { Installation } from './app.ts'

/** The files that are next to the archive, not in it, on Linux. On other systems a modified archive doesn't start. */
const UNPACKED = '**/*.{node,ico}'

/**
 * Changes the app's own files: in a build directly, in a package inside its archive. A package can only be changed on
 * Linux, where the archive's integrity isn't checked (Electron: ASAR Integrity).
 */
export async function alterFiles({ appFolder, archive }: Installation, change: (folder: string) => void) {
  if (archive === undefined) {
    change(appFolder)
    return
  }
  if (process.platform !== 'linux') throw new Error('the archive of a package can be changed on Linux alone')
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-archive-'))
  try {
    extractAll(archive, folder)
    change(folder)
    // The files may be hard links that other tests share.
    for (const old of [archive, `${archive}.unpacked`]) rmSync(old, { recursive: true })
    await createPackageWithOptions(folder, archive, { unpack: UNPACKED })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
