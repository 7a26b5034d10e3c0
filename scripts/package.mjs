import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build, buildIfNeeded, electronVite } from './build.mjs'
import { pack, thisSystem } from './package/pack.mjs'
import { main, print, SetUpError, step } from './run/command.mjs'
import { inProject } from './run/project.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'

/**
 * `npm run package -- [--linux | --win | --mac] [--x64] [--arm64] [TARGET...]` builds and packages the app with the
 * official Electron; by default, the targets in electron-builder.yml. `--test` makes two test builds with whatever
 * Electron is installed, which must never be published: `dist/test/shipped` with the code of the published build, and
 * `dist/test/driven` for Playwright.
 */

const TEST_BUILDS = {
  shipped: inProject('dist', 'test', 'shipped'),
  driven: inProject('dist', 'test', 'driven'),
}

/** @param {readonly string[]} targets The formats of the build in `dist/test/shipped`. */
async function packageForTests(targets) {
  const electron = await resolveElectron({ allowFallback: true })
  const system = thisSystem()
  await rm(inProject('dist', 'test'), { recursive: true, force: true })
  await rm(inProject('out', 'playwright'), { recursive: true, force: true })
  const driven = await step('Building the app for Playwright', () => electronVite('playwright'))
  if (driven.code !== 0) throw new SetUpError(driven.output.trim())
  for (const [kind, output] of Object.entries(TEST_BUILDS)) {
    const test = { electron, output, driven: kind === 'driven' }
    const wanted = test.driven ? ['dir'] : targets
    await step(`Packaging (${kind}: ${wanted.join(', ')})`, () => pack({ system, targets: wanted, archs: [], test }))
  }
  for (const line of sizes(TEST_BUILDS.shipped)) print(line)
  print(`Test builds with Electron ${electron.version}. Don't publish them.`)
  return 0
}

/** The size of each package, one a line. @param {string} folder */
function sizes(folder) {
  const megabytes = (/** @type {string} */ file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((file) => /\.(deb|rpm|AppImage|tar\.gz|exe|msi|dmg|pkg|zip)$/.test(file))
    .map((file) => `${path.basename(file)}: ${megabytes(file)}`)
}

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
  if (values.test) {
    await buildIfNeeded()
    // What this machine can make without the network.
    const able = existsSync('/usr/bin/dpkg-deb') ? ['dir', 'deb'] : ['dir']
    return packageForTests(positionals.length > 0 ? positionals : able)
  }
  await ensurePackages()
  await build()
  const system = /** @type {const} */ (['linux', 'win', 'mac']).find((name) => values[name]) ?? thisSystem()
  const archs = /** @type {const} */ (['x64', 'arm64']).filter((name) => values[name])
  await pack({ system, targets: positionals, archs })
  for (const line of sizes(inProject('dist'))) print(line)
  return 0
})
