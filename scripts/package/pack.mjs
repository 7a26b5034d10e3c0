import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inProject, root } from '../run/project.mjs'
import { SetUpError } from '../run/say.mjs'

/**
 * @typedef {'linux' | 'win' | 'mac'} System As electron-builder names them.
 * @typedef {'x64' | 'arm64'} Arch
 * @typedef {import('../setup/electron.mjs').Electron} Electron
 *
 * @typedef {object} Order
 * @property {System} system
 * @property {readonly string[]} targets None: those that electron-builder.yml names.
 * @property {readonly Arch[]} archs None: this machine's, or those that electron-builder.yml names.
 * @property {TestBuild} [test] Where absent, packages that may be published.
 *
 * @typedef {object} TestBuild Of whatever Electron runs here, and marked as what it is.
 * @property {Electron} electron
 * @property {boolean} driven The one for Playwright, whose build is in `out/playwright`: it lets a debugger in, and
 *   differs from the other in nothing else.
 * @property {string} output Where it goes.
 * @property {string} [project] The checkout to package; this one where absent.
 */

/** What electron-builder would download: a test build takes what is there, and a .deb is made without fpm. */
const TOOLS = {
  CUSTOM_FPM_PATH: fileURLToPath(new URL('fpm-on-dpkg.mjs', import.meta.url)),
  ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za',
}

/**
 * Packages what is built. Rejects where anything, a fuse among it, isn't as it should be; then nothing is left of it.
 * @param {Order} order
 * @returns {Promise<string[]>} The files it made; unpacked apps are not among them.
 */
export async function pack({ system, targets, archs, test }) {
  const { build } = await import('electron-builder')
  const project = test?.project ?? root
  const config = test && (await testConfig(test, project))
  for (const [name, file] of Object.entries(TOOLS)) if (test && existsSync(file)) process.env[name] = file
  // Files that fpm is to add are named from here.
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
 * What a test build does otherwise than electron-builder.yml says.
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
    // What is thrown away needn't be small.
    compression: /** @type {const} */ ('store'),
    deb: { compression: /** @type {const} */ ('gz') },
    // Without a certificate the hardened runtime loads no library.
    mac: { hardenedRuntime: false, identity: '-' },
    ...(driven && { files: withDrivenMain(files), electronFuses: { enableNodeCliInspectArguments: true } }),
  }
}

/**
 * The files of a package, with another build's main process in the place of its own.
 * @param {unknown} files As electron-builder has read them.
 */
export function withDrivenMain(files) {
  const own = 'out/main'
  const sets = /** @type {{ filter: string[] }[]} */ (files)
  if (!sets.some(({ filter }) => filter.includes(own))) throw new Error(`electron-builder.yml doesn't name ${own}`)
  return [
    ...sets.map((set) => ({ ...set, filter: set.filter.filter((pattern) => pattern !== own) })),
    { from: `out/playwright/${own}`, to: own },
  ]
}

/**
 * The folder that holds a whole Electron.
 * @param {string} executable
 */
const distOf = (executable) =>
  process.platform === 'darwin' ? path.resolve(executable, '../../../..') : path.dirname(executable)

/**
 * This machine's.
 * @returns {System}
 */
export function thisSystem() {
  switch (process.platform) {
    case 'linux':
      return 'linux'
    case 'win32':
      return 'win'
    case 'darwin':
      return 'mac'
    default:
      throw new SetUpError(`Latchkey is packaged on Linux, Windows and macOS, not on ${process.platform}.`)
  }
}
