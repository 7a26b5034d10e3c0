import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from './build.mjs'
import { appImageTools } from './package/appimage-tools.mjs'
import { pack } from './package/pack.mjs'
import { onEnd, run, stopAll } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { main, SetUpError, step } from './run/say.mjs'
import { ensureDebianPackages, isDebian } from './setup/debian.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { setUpPackages } from './setup.mjs'

/**
 * `npm run test:packages`: makes test builds of the rpm and the AppImage, which `npm test` leaves out, and tests them.
 * If the argument is a folder, it tests the packages in that folder instead.
 */

/** The programs that make or read an rpm or AppImage. Each key is the Debian package that contains the program. */
const TOOLS = { rpm: 'rpm', 'squashfs-tools': 'unsquashfs', 'desktop-file-utils': 'desktop-file-validate' }

await main(async () => {
  onEnd(() => void stopAll().finally(() => process.exit(130)))
  const [given] = process.argv.slice(2)
  await setUpPackages({ display: false, tests: false })
  await ensureTools()
  const folder = given === undefined ? await packages() : path.resolve(given)
  const vitest = [inProject('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'packages']
  const { code } = await run(process.execPath, vitest, { env: { LATCHKEY_TEST_PACKAGES: folder }, show: true })
  return code
})

async function ensureTools() {
  if (process.platform !== 'linux') throw new SetUpError('The packages for Linux are tested on Linux.')
  if (isDebian()) return ensureDebianPackages(Object.keys(TOOLS).map((name) => [name]))
  const lacking = Object.values(TOOLS).filter((program) => !existsSync(`/usr/bin/${program}`))
  if (lacking.length > 0) throw new SetUpError(`These programs are missing: ${lacking.join(', ')}.`)
}

/** @returns {Promise<string>} The folder with the test builds. */
async function packages() {
  const electron = await resolveElectron({ allowFallback: true })
  const built = await step('Building', build)
  if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
  const output = inProject('dist', 'test', 'packages')
  await rm(output, { recursive: true, force: true })
  process.env['APPIMAGE_TOOLS_PATH'] = await appImageTools()
  const order = { system: /** @type {const} */ ('linux'), targets: ['rpm', 'AppImage'], archs: [] }
  await step('Packaging', () => pack({ ...order, test: { electron, driven: false, output } }))
  return output
}
