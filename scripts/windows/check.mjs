import { print, UnavailableError } from '../run/command.mjs'
import { inProject } from '../run/project.mjs'
import { NOTHING, native, total, vitest } from '../test/vitest.mjs'
import { ensureWine, openWine, toWindows, windowsTools } from './wine.mjs'

const LATE_KEEP_ALIVE = inProject('scripts', 'windows', 'late-keep-alive.cjs')
const LIMIT_MS = 20 * 60_000
const PROJECTS = ['unit', 'isolated', 'integration', 'windows']

/**
 * On Linux with Wine. If this machine can't have Wine, the tests are skipped. If Wine fails, they count as failed.
 * @param {readonly string[]} folders If empty, all tests run, including those that open our files with Wine's programs.
 * @returns {Promise<import('../test/vitest.mjs').Count>}
 */
export async function underWindows(folders) {
  const options = { name: 'windows', files: folders }
  if (process.platform === 'win32') return vitest(PROJECTS, { ...options, runNode: native })
  try {
    await ensureWine()
    await windowsTools()
    const count = await vitest(PROJECTS, { ...options, runNode: underWine })
    return folders.length > 0 ? count : total([count, await vitest(['wine'], { name: 'wine' })])
  } catch (error) {
    const line = `tests under Windows’ Node: ${error instanceof Error ? error.message.trim() : error}`
    return error instanceof UnavailableError ? { ...NOTHING, skipped: [line] } : { ...NOTHING, failed: [line] }
  }
}

/** @type {import('../test/vitest.mjs').RunNode} */
async function underWine(args) {
  const { node, modules } = await windowsTools()
  const wine = await openWine()
  try {
    const words = args.map((each) => each.replace(inProject(), (folder) => toWindows(folder)))
    const env = {
      NODE_PATH: toWindows(modules),
      // The quotes are for a folder with a space in its name.
      NODE_OPTIONS: `--require="${toWindows(LATE_KEEP_ALIVE).replaceAll('\\', '/')}"`,
      NO_COLOR: '1',
    }
    const ended = await wine.run([node, ...words], { env, limit: LIMIT_MS })
    print(`\n— tests under Windows’ Node\n${ended.output.trim()}`)
    return ended
  } finally {
    await wine.stop()
  }
}
