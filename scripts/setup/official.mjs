import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { step } from '../run/say.mjs'

/** The official Electron: the `electron` package downloads it from GitHub, or from a mirror. */

const PACKAGE = inProject('node_modules', 'electron')
const FAILURE = inProject('.cache', 'electron-download.json')
const DOWNLOAD_LIMIT = 10 * 60_000
const CACHE_LIMIT = 30_000
const PROBE_LIMIT = 8000
const REMEMBERED = 60 * 60_000

/** @returns {string} */
export const version = () => createRequire(import.meta.url)(path.join(PACKAGE, 'package.json')).version

/** @param {string} [platform] */
export function executableName(platform = process.platform) {
  if (platform === 'darwin') return path.join('Electron.app', 'Contents', 'MacOS', 'Electron')
  return platform === 'win32' ? 'electron.exe' : 'electron'
}

/**
 * @param {{ insist: boolean }} options `insist`: true to try again even if the last attempt failed recently.
 * @returns {Promise<{ ok: true, path: string } | { ok: false, why: string }>}
 */
export async function ensure({ insist }) {
  const executable = path.join(PACKAGE, 'dist', executableName())
  if (await isInstalled(executable)) return { ok: true, path: executable }
  const before = insist ? undefined : await recentFailure()
  if (before !== undefined) return { ok: false, why: before }

  const why = await step(`Downloading Electron ${version()}`, download)
  if (why === undefined && existsSync(executable)) {
    await rm(FAILURE, { force: true })
    return { ok: true, path: executable }
  }
  return { ok: false, why: await remember(why ?? 'its installer installed nothing.') }
}

/** @param {string} executable */
async function isInstalled(executable) {
  if (!existsSync(executable) || !existsSync(path.join(PACKAGE, 'path.txt'))) return false
  const unpacked = await readFile(path.join(PACKAGE, 'dist', 'version'), 'utf8').catch(() => '')
  return unpacked.trim().replace(/^v/, '') === version()
}

/** @returns {Promise<string | undefined>} Why the download failed, if it did. */
async function download() {
  // NODE_USE_ENV_PROXY makes Node 24 use HTTPS_PROXY, as npm does. In Node 20, fetch can't use HTTPS_PROXY.
  const env = { NODE_USE_ENV_PROXY: '1', ELECTRON_GET_NO_PROGRESS: '1' }
  const obstacle = mirror() === undefined ? await probe(env) : undefined
  // The installer loads an ES module with require(). Node 20.18 needs a switch for that.
  const flags = 'require_module' in process.features ? [] : ['--experimental-require-module']
  const installer = await run(process.execPath, [...flags, path.join(PACKAGE, 'install.js')], {
    env,
    // Without a network, the installer may still find an earlier download in its cache.
    limit: obstacle === undefined ? DOWNLOAD_LIMIT : CACHE_LIMIT,
  })
  if (installer.code === 0) return undefined
  if (installer.timedOut) return obstacle ?? `its installer took longer than ${DOWNLOAD_LIMIT / 60_000} minutes.`
  return obstacle ?? /^\w*Error\b.*/m.exec(installer.output)?.[0] ?? 'its installer failed.'
}

/**
 * Checks that Node can reach the page of Electron's releases on GitHub.
 * @param {import('../run/process.mjs').Variables} env
 * @returns {Promise<string | undefined>} Why the page can't be reached.
 */
async function probe(env) {
  const { code, output } = await run(process.execPath, ['-e', PROBE, PROBE_ADDRESS], { env, limit: PROBE_LIMIT })
  return code === 0 ? undefined : `github.com can't be reached (${output.trim() || 'no response'}).`
}

const PROBE_ADDRESS = 'https://github.com/electron/electron/releases'
const PROBE = `fetch(process.argv[1], { method: 'HEAD' }).then(
  (answer) => { if (!answer.ok) throw new Error('status ' + answer.status) },
).catch((error) => { console.log(error.cause?.code ?? error.message); process.exit(1) })`

/** The address that the installer uses instead of GitHub, if any. */
const mirror = () =>
  Object.entries(process.env).find(([name, value]) => /^(npm_config_)?electron_mirror$/i.test(name) && value)?.[1]

/** @param {string} why */
async function remember(why) {
  await mkdir(path.dirname(FAILURE), { recursive: true })
  await writeFile(FAILURE, JSON.stringify({ version: version(), mirror: mirror(), at: Date.now(), why }))
  return why
}

/** Why the last download failed, if it failed less than an hour ago. In that case, the download isn't tried again. */
async function recentFailure() {
  try {
    const failure = JSON.parse(await readFile(FAILURE, 'utf8'))
    const age = Date.now() - failure.at
    if (failure.version !== version() || failure.mirror !== mirror()) return undefined
    if (!(age >= 0 && age < REMEMBERED)) return undefined
    const next = new Date(failure.at + REMEMBERED).toTimeString().slice(0, 5)
    return `${failure.why} (Next try after ${next}; to try now, set ELECTRON_RUNTIME=official.)`
  } catch {
    return undefined
  }
}
