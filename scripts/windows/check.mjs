import { mkdir, readFile, rm } from 'node:fs/promises'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { say, UnavailableError } from '../run/say.mjs'
import { countReport, FAILED, NOTHING, sentence } from '../test/count.mjs'
import { windowsTools } from './tools.mjs'
import { ensureWine, openWine, toWindows } from './wine.mjs'

/** The tests that need no Electron, under Node for Windows: natively on Windows, with Wine on Linux. */

const LATE_KEEP_ALIVE = inProject('scripts', 'windows', 'late-keep-alive.cjs')
const REPORTS = inProject('out', 'test')
const LIMIT = 20 * 60_000

/** @typedef {import('../test/count.mjs').Count} Count */

async function setUp() {
  await ensureWine()
  await windowsTools()
}

/**
 * Installs Wine and the packages for the tests under Wine. Throws if a package has the wrong hash or if Wine does not
 * start, because the tests must then fail, not be skipped.
 * @returns {Promise<string | undefined>} Why the tests can't run on this machine, if they can't.
 */
export async function whyNoWindows(get = setUp) {
  try {
    await get()
    return undefined
  } catch (error) {
    if (error instanceof UnavailableError) return error.message.trim()
    throw error
  }
}

/**
 * Runs the tests. If Wine fails, that counts as one failure, and the caller's other checks continue.
 * @param {Promise<string | undefined>} noWindows Why the tests can't run on this machine, if they can't.
 * @param {readonly (() => Promise<Count>)[]} tests
 * @returns {AsyncGenerator<Count>}
 */
export async function* windowsChecks(noWindows, tests) {
  try {
    const reason = await noWindows
    if (reason !== undefined) yield { ...NOTHING, skipped: [`tests under Windows’ Node: ${reason}`] }
    else for (const each of tests) yield await each()
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    say('tests under Windows’ Node failed')
    yield FAILED
  }
}

/**
 * Runs the tests that need no Electron.
 * @param {readonly string[]} [folders] If given, only tests in these folders run.
 */
export const windowsTests = (folders = []) =>
  vitest(
    'windows',
    ['unit', 'isolated', 'integration', 'windows'],
    folders,
    process.platform === 'win32' ? native : underWine,
  )

/** Runs the tests that open our files with Wine's own programs. These tests themselves run under Node for Linux. */
export const wineTests = () => vitest('wine', ['wine'], [], native)

/** @param {readonly string[]} args */
const native = (args) => run(process.execPath, args, { env: { NO_COLOR: '1' }, limit: LIMIT })

/**
 * @param {string} name
 * @param {readonly string[]} projects
 * @param {readonly string[]} folders
 * @param {typeof native} runNode
 * @returns {Promise<Count>}
 */
async function vitest(name, projects, folders, runNode) {
  const report = `${REPORTS}/${name}.json`
  await mkdir(REPORTS, { recursive: true })
  await rm(report, { force: true })
  const args = [
    inProject('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ...folders,
  ]
  const { code, output, timedOut } = await runNode(args)
  say(output.trim())
  if (timedOut) say(`The tests took longer than ${LIMIT / 60_000} minutes`)
  const json = await readFile(report, 'utf8').catch(() => undefined)
  const count = countReport(json, code)
  for (const line of count.skipped) say(`skipped: ${line}`)
  say(`${name}: ${sentence(count)}`)
  return count
}

/** @param {readonly string[]} args */
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
    return await wine.run([node, ...words], { env, limit: LIMIT })
  } finally {
    await wine.stop()
  }
}
