import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createPackageWithOptions, extractAll } from '@electron/asar'
import type { Installation } from './app.ts'

/** What electron-builder.yml leaves beside the archive, on the one system where a changed archive still starts. */
const UNPACKED = '**/*.{node,ico}'

/**
 * Changes the app's own files: those of a build where they lie, those of a package in its archive. On Linux alone, where
 * nothing checks an archive's integrity (Electron: ASAR Integrity).
 */
export async function alterFiles({ appFolder, archive }: Installation, change: (folder: string) => void) {
  if (archive === undefined) {
    changeCode(appFolder, change)
    return
  }
  if (process.platform !== 'linux') throw new Error('the archive of a package can be changed on Linux alone')
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-archive-'))
  try {
    extractAll(archive, folder)
    changeCode(folder, change)
    // They may be links to those of every other test.
    for (const old of [archive, `${archive}.unpacked`]) rmSync(old, { recursive: true })
    await createPackageWithOptions(folder, archive, { unpack: UNPACKED })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the change, and takes the code caches of what it has changed away: V8 tells other code by its length alone. */
function changeCode(folder: string, change: (folder: string) => void): void {
  const main = path.join(folder, 'out/main')
  const files = readdirSync(main).filter((name) => name.endsWith('.cjs'))
  const read = (name: string) => {
    const file = path.join(main, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  const before = new Map(files.map((name) => [name, read(name)]))
  change(folder)
  for (const [name, code] of before)
    if (read(name) !== code) rmSync(path.join(main, `${name}.code-cache`), { force: true })
}
