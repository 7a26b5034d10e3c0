import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { build, buildIfNeeded, electronVite } from './build.mjs'
import { packForTests } from './package/pack.mjs'
import { main, print, step } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'

/**
 * `npm run package -- [OPTION...]` builds and packages the app with the official Electron; the options are
 * electron-builder's. `-- --test [FORMAT...]` makes two test builds with whatever Electron is installed, which must
 * never be published: `dist/test/shipped` with the code of the published build, and `dist/test/driven` for Playwright.
 */
await main(async () => {
  const [first, ...formats] = process.argv.slice(2)
  if (first === '--test') return packageForTests(formats)
  await ensurePackages()
  await build()
  const builder = [inProject('node_modules/electron-builder/cli.js'), '--publish', 'never', ...process.argv.slice(2)]
  const { code } = await run(process.execPath, builder, { show: true })
  // If a check in hooks.mjs fails, a package may have been written already.
  if (code !== 0) await rm(inProject('dist'), { recursive: true, force: true })
  return code
})

/** @param {readonly string[]} formats The formats of the build in `dist/test/shipped`. */
async function packageForTests(formats) {
  await buildIfNeeded()
  const electron = await resolveElectron({ allowFallback: true })
  const at = (/** @type {string} */ folder) => inProject('dist', 'test', folder)
  for (const old of [at(''), inProject('out', 'playwright')]) await rm(old, { recursive: true, force: true })
  await step('Building the app for Playwright', () => electronVite('playwright'))
  // The default is what this machine can make without the network.
  const able = existsSync('/usr/bin/dpkg-deb') ? ['dir', 'deb'] : []
  const linux = formats.length > 0 ? [...formats] : able
  const targets = linux.length > 0 ? { linux } : { dir: true }
  await step('Packaging', () => packForTests({ electron, output: at('shipped'), targets }))
  await step('Packaging for Playwright', () => packForTests({ electron, output: at('driven'), driven: true }))
  print(`Test builds with Electron ${electron.version}. Don't publish them.`)
  return 0
}
