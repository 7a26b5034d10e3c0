import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../run/process.mjs'

/** What code-cache-maker.cjs adds to a file's name; main/code-cache.ts reads it. */
const CODE_CACHE = '.code-cache'

const MAKER = fileURLToPath(new URL('code-cache-maker.cjs', import.meta.url))

/**
 * Makes V8's code caches of the main process's files in these folders anew.
 * @param {readonly string[]} folders
 * @param {string | undefined} electron The one that will read them; where it can't run here there will be none, and the
 *   app compiles its files when it starts.
 */
export async function makeCodeCaches(folders, electron) {
  for (const folder of folders) {
    for (const name of await readdir(folder)) if (name.endsWith(CODE_CACHE)) await rm(path.join(folder, name))
  }
  if (electron === undefined) return
  // It ends before there is anything to sandbox; root could start it no other way.
  const { code, output } = await run(electron, ['--no-sandbox', MAKER, ...folders])
  if (code !== 0) throw new Error(`The code caches couldn't be made:\n${output}`)
}
