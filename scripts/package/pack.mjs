import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../run/project.mjs'

/**
 * @typedef {object} TestBuild A build with whatever Electron is installed, and with `-test` in its version.
 * @property {import('../setup/electron.mjs').Electron} electron
 * @property {string} output The folder for the packages.
 * @property {import('electron-builder').CliOptions} [targets] By default, an unpacked app for this system.
 * @property {boolean} [driven] True for Playwright: built from `out/playwright`, and open to a debugger.
 * @property {string} [project] The checkout to package; by default this one.
 */

/** Programs for a test build, if they exist, so that electron-builder needn't download its own. */
const TOOLS = {
  CUSTOM_FPM_PATH: fileURLToPath(new URL('fpm.sh', import.meta.url)),
  ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za',
}

/** @param {TestBuild} options */
export async function packForTests({ electron, output, targets = { dir: true }, driven = false, project = root }) {
  const { build } = await import('electron-builder')
  const config = await testConfig({ electron, output, driven, project })
  for (const [name, file] of Object.entries(TOOLS)) if (existsSync(file)) process.env[name] = file
  // fpm resolves paths of additional files from the working directory.
  process.chdir(project)
  try {
    await build({ projectDir: project, ...targets, config, publish: 'never' })
  } finally {
    process.chdir(root)
  }
}

/** How a test build differs from electron-builder.yml. @param {Required<Omit<TestBuild, 'targets'>>} test */
async function testConfig({ electron, output, driven, project }) {
  const { getConfig } = await import('app-builder-lib/out/util/config/config.js')
  const { files, extraMetadata } = await getConfig(project, null, null)
  const sets = /** @type {{ filter: string[] }[]} */ (files)
  const withDrivenMain = [
    ...sets.map((set) => ({ ...set, filter: set.filter.filter((pattern) => pattern !== 'out/main') })),
    { from: 'out/playwright/out/main', to: 'out/main' },
  ]
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
    compression: /** @type {const} */ ('store'),
    deb: { compression: /** @type {const} */ ('gz') },
    // Without a certificate, the hardened runtime would refuse to load libraries.
    mac: { hardenedRuntime: false, identity: '-' },
    // Setting the icon and signing needs a tool that electron-builder would have to download.
    ...(process.platform !== 'win32' && { win: { signAndEditExecutable: false } }),
    ...(driven && { files: withDrivenMain, electronFuses: { enableNodeCliInspectArguments: true } }),
  }
}

/** The folder of the Electron distribution. @param {string} executable */
const distOf = (executable) =>
  process.platform === 'darwin' ? path.resolve(executable, '../../../..') : path.dirname(executable)
