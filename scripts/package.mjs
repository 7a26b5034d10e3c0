import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { buildDriven } from './package/build-driven.mjs'
import { pack, thisSystem } from './package/pack.mjs'
import { inProject } from './run/project.mjs'
import { main, SetUpError, say, step } from './run/say.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'

/**
 * `npm run package -- [--linux | --win | --mac] [--x64] [--arm64] [TARGET...]`: builds and packages the app with the
 * official Electron. Without targets, it makes those that electron-builder.yml names. With `--test`, it makes two test
 * builds with whatever Electron is installed. Test builds must never be published. The test build in
 * `dist/test/shipped` has the same code as the published build; the test build in `dist/test/driven` is for Playwright.
 */

/** The folders that contain the test builds. */
export const TEST_BUILDS = {
  shipped: inProject('dist', 'test', 'shipped'),
  driven: inProject('dist', 'test', 'driven'),
}

/**
 * Packages both test builds. @param {readonly string[]} [targets] The formats of the build in `dist/test/shipped`; by
 * default all that this machine can make.
 */
export async function packageForTests(targets = testTargets()) {
  const electron = await resolveElectron({ allowFallback: true })
  const system = thisSystem()
  await rm(inProject('dist', 'test'), { recursive: true, force: true })
  const driven = await step('Building the app for Playwright', buildDriven)
  if (driven.code !== 0) return driven
  for (const [kind, output] of Object.entries(TEST_BUILDS)) {
    const test = { electron, output, driven: kind === 'driven' }
    const wanted = test.driven ? ['dir'] : targets
    await step(`Packaging (${kind}: ${wanted.join(', ')})`, () => pack({ system, targets: wanted, archs: [], test }))
  }
  for (const line of sizes(TEST_BUILDS.shipped)) say(line)
  return { code: 0, output: `Test builds with Electron ${electron.version} (${electron.source}). Don't publish them.` }
}

/** The targets that this machine can make without the network. */
function testTargets() {
  if (process.platform !== 'linux') return ['dir']
  return existsSync('/usr/bin/dpkg-deb') ? ['dir', 'tar.gz', 'deb'] : ['dir', 'tar.gz']
}

/** The size of each package in a folder, one per line. @param {string} folder */
function sizes(folder) {
  const megabytes = (/** @type {string} */ file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((file) => /\.(deb|rpm|AppImage|tar\.gz|exe|msi|dmg|zip)$/.test(file))
    .map((file) => `${path.basename(file)}: ${megabytes(file)}`)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        linux: { type: 'boolean' },
        win: { type: 'boolean' },
        mac: { type: 'boolean' },
        x64: { type: 'boolean' },
        arm64: { type: 'boolean' },
        test: { type: 'boolean' },
      },
    })
    await ensurePackages()
    const built = await step('Building', build)
    if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
    if (values.test) {
      const { code, output } = await packageForTests(positionals.length > 0 ? positionals : undefined)
      say(output)
      return code
    }
    const system = /** @type {const} */ (['linux', 'win', 'mac']).find((name) => values[name]) ?? thisSystem()
    const archs = /** @type {const} */ (['x64', 'arm64']).filter((name) => values[name])
    await pack({ system, targets: positionals, archs })
    for (const line of sizes(inProject('dist'))) say(line)
    return 0
  })
}
