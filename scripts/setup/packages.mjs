import { existsSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { SetUpError, step } from '../run/say.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[] }} Entry
 * @typedef {{ packages?: Record<string, Entry> }} Lock
 */

/** Installs the packages, exactly as locked, unless they are already installed. */
export async function ensurePackages() {
  const lock = await readLock(inProject('package-lock.json'))
  if (lock === undefined)
    throw new SetUpError('package-lock.json is missing or damaged: this is not a complete checkout.')
  const installed = await readLock(inProject('node_modules', '.package-lock.json'))
  const present = (/** @type {string} */ folder) => existsSync(inProject(folder))
  if (installed && fitsLock(lock, installed, { ...process, present })) return
  // npm ci first empties node_modules. If that is a link, npm ci would empty the folder of another checkout.
  const link = await lstat(inProject('node_modules')).catch(() => undefined)
  if (link?.isSymbolicLink()) {
    throw new SetUpError('node_modules is a link to packages that don’t match package-lock.json. Remove the link.')
  }
  const install = async () => {
    // No install scripts run: none of our packages needs one.
    const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
    if (code !== 0) throw new SetUpError(`${output.trim()}\nThe packages could not be installed: npm ci failed.`)
  }
  await step('Installing the packages (npm ci)', install, 'This takes a minute or two.')
}

/**
 * True if npm's record in `node_modules` matches the lock file on this machine. Optional packages may be absent: most
 * of them are other platforms' binaries.
 * @param {Lock} lock
 * @param {Lock} installed
 * @param {{ platform: string, arch: string, present: (folder: string) => boolean }} machine
 */
export function fitsLock(lock, installed, { platform, arch, present }) {
  const wanted = lock.packages ?? {}
  const found = installed.packages ?? {}
  const complete = Object.entries(wanted).every(([name, entry]) => name === '' || entry.optional || name in found)
  return (
    complete &&
    Object.entries(found).every(([name, entry]) => {
      const want = wanted[name]
      return (
        want !== undefined &&
        want.version === entry.version &&
        want.integrity === entry.integrity &&
        admits(want.os, platform) &&
        admits(want.cpu, arch) &&
        present(name)
      )
    })
  )
}

/**
 * True if a package's `os` or `cpu` list allows a name. The list contains allowed names, or excluded ones (`!win32`).
 * @param {readonly string[] | undefined} list
 * @param {string} name
 */
function admits(list, name) {
  if (list === undefined || list.includes(name) || list.includes('any')) return true
  return list.every((item) => item.startsWith('!')) && !list.includes(`!${name}`)
}

/**
 * Runs the npm that started this process, or otherwise the npm on the PATH.
 * @param {readonly string[]} args
 */
export function npm(args) {
  const own = process.env['npm_execpath']
  if (own !== undefined && path.basename(own) === 'npm-cli.js') return run(process.execPath, [own, ...args])
  // On Windows npm is a batch file, and only a shell can start it.
  return process.platform === 'win32' ? run('cmd.exe', ['/d', '/c', 'npm', ...args]) : run('npm', args)
}

/**
 * @param {string} file
 * @returns {Promise<Lock | undefined>}
 */
async function readLock(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
