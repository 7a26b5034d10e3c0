import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetUpError } from '../run/command.mjs'
import { inProject, root } from '../run/project.mjs'

/**
 * @typedef {'linux' | 'win' | 'mac'} System As electron-builder names them.
 * @typedef {'x64' | 'arm64'} Arch
 * @typedef {import('../setup/electron.mjs').Electron} Electron
 *
 * @typedef {object} Order
 * @property {System} system
 * @property {readonly string[]} targets If empty, those that electron-builder.yml names.
 * @property {readonly Arch[]} archs If empty, those that electron-builder.yml names, or otherwise this machine's.
 * @property {TestBuild} [test] Without it, the packages may be published.
 *
 * @typedef {object} TestBuild A build with whatever Electron is installed, and with `-test` in its version.
 * @property {Electron} electron
 * @property {boolean} driven True for Playwright: built from `out/playwright`, and open to a debugger.
 * @property {string} output The folder for the packages.
 * @property {string} [project] The checkout to package; by default this one.
 */

/** Programs for a test build, if they exist, so that electron-builder needn't download its own. */
const TOOLS = {
  CUSTOM_FPM_PATH: fileURLToPath(new URL('fpm.mjs', import.meta.url)),
  ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za',
}

/**
 * Packages the build. If that or a check in hooks.mjs fails, deletes the output and rejects.
 * @param {Order} order
 * @returns {Promise<string[]>} The packages, without the unpacked apps.
 */
export async function pack({ system, targets, archs, test }) {
  const { build } = await import('electron-builder')
  const project = test?.project ?? root
  const config = test && (await testConfig(test, project))
  for (const [name, file] of Object.entries(TOOLS)) if (test && existsSync(file)) process.env[name] = file
  // fpm resolves paths of additional files from the working directory.
  process.chdir(project)
  const output = config?.directories.output ?? inProject('dist')
  try {
    return await build({
      projectDir: project,
      [system]: [...targets],
      ...Object.fromEntries(archs.map((arch) => [arch, true])),
      ...(config && { config }),
      publish: 'never',
    })
  } catch (error) {
    await rm(output, { recursive: true, force: true })
    throw error
  } finally {
    process.chdir(root)
  }
}

/**
 * How a test build differs from electron-builder.yml.
 * @param {TestBuild} test
 * @param {string} project
 */
async function testConfig({ electron, driven, output }, project) {
  const { getConfig } = await import('app-builder-lib/out/util/config/config.js')
  const { files, extraMetadata } = await getConfig(project, null, null)
  const manifest = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8'))
  return {
    directories: { output },
    electronDist: distOf(electron.path),
    electronVersion: electron.version,
    extraMetadata: {
      ...extraMetadata,
      version: `${manifest.version}-test`,
      description: `Test build, not for use. ${manifest.description}`,
    },
    // A test build needn't be small.
    compression: /** @type {const} */ ('store'),
    deb: { compression: /** @type {const} */ ('gz') },
    // Without a certificate, the hardened runtime would refuse to load libraries.
    mac: { hardenedRuntime: false, identity: '-' },
    // Setting the icon and signing needs a tool that electron-builder would have to download.
    ...(process.platform !== 'win32' && { win: { signAndEditExecutable: false } }),
    ...(driven && { files: withDrivenMain(files), electronFuses: { enableNodeCliInspectArguments: true } }),
  }
}

/**
 * Replaces the usual build of the main process with Playwright's.
 * @param {unknown} files As electron-builder read them.
 */
function withDrivenMain(files) {
  const own = 'out/main'
  const sets = /** @type {{ filter: string[] }[]} */ (files)
  if (!sets.some(({ filter }) => filter.includes(own))) throw new Error(`electron-builder.yml doesn't name ${own}`)
  return [
    ...sets.map((set) => ({ ...set, filter: set.filter.filter((pattern) => pattern !== own) })),
    { from: `out/playwright/${own}`, to: own },
  ]
}

/** The folder of the Electron distribution. @param {string} executable */
const distOf = (executable) =>
  process.platform === 'darwin' ? path.resolve(executable, '../../../..') : path.dirname(executable)

/** @type {Partial<Record<NodeJS.Platform, System>>} */
const SYSTEMS = { linux: 'linux', win32: 'win', darwin: 'mac' }

export function thisSystem() {
  const system = SYSTEMS[process.platform]
  if (system === undefined) throw new SetUpError(`Latchkey can't be packaged on ${process.platform}.`)
  return system
}
