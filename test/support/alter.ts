import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createPackageWithOptions, extractAll } from '@electron/asar'
import type { Installation } from './app.ts'

/** The files that a package for Linux has next to its archive. */
const UNPACKED = '**/*.{node,ico}'

/** Changes the app's files. Only Linux starts a package whose archive has changed (Electron: ASAR Integrity). */
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
    // The old files may be hard links, so overwriting them could change them for other tests.
    for (const old of [archive, `${archive}.unpacked`]) rmSync(old, { recursive: true })
    await createPackageWithOptions(folder, archive, { unpack: UNPACKED })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
