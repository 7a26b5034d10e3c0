import { existsSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SetUpError, step } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'

export async function ensurePackages() {
  if (await fitsLock()) return
  // npm ci empties node_modules first, which would empty another checkout's folder if node_modules is a link to it.
  const link = await lstat(inProject('node_modules')).catch(() => undefined)
  if (link?.isSymbolicLink()) {
    throw new SetUpError('node_modules is a link to packages that don’t match package-lock.json. Remove the link.')
  }
  const install = async () => {
    // None of our packages needs its install scripts.
    const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
    if (code !== 0) throw new SetUpError(`${output.trim()}\nThe packages could not be installed: npm ci failed.`)
  }
  await step('Installing the packages (npm ci), which takes a minute or two', install)
}

/** True if all packages of the lock file are installed, except optional ones, most of which are for other systems. */
async function fitsLock() {
  const [wanted, found] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map(async (name) => {
      const text = await readFile(inProject(name), 'utf8').catch(() => '{}')
      return /** @type {Record<string, { integrity?: string, optional?: boolean }>} */ (JSON.parse(text).packages ?? {})
    }),
  )
  return Object.entries(wanted ?? {}).every(([folder, { integrity, optional }]) => {
    const installed = found?.[folder]
    if (installed === undefined) return folder === '' || optional === true
    return installed.integrity === integrity && existsSync(inProject(folder))
  })
}

/** Runs the npm that started this process, or else the one on the PATH. @param {readonly string[]} args */
export function npm(args) {
  const own = process.env['npm_execpath']
  if (own !== undefined && path.basename(own) === 'npm-cli.js') return run(process.execPath, [own, ...args])
  // On Windows npm is a batch file, which only a shell can start.
  return process.platform === 'win32' ? run('cmd.exe', ['/d', '/c', 'npm', ...args]) : run('npm', args)
}
