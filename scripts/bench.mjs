import { statSync } from 'node:fs'
import { build as bundle } from 'vite'
import { build } from './build.mjs'
import { pack, thisSystem } from './package/pack.mjs'
import { onEnd, run, stopAll } from './run/process.mjs'
import { inProject, root } from './run/project.mjs'
import { main, SetUpError, step } from './run/say.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { setUpElectron } from './setup.mjs'

/**
 * `npm run bench -- [--rounds N] [--short] [--only NAME]... [--no-package]`: measures the app beside bare Electron apps, on
 * Linux. See docs/performance.md.
 */

const MOST = { asar: 4_000_000, firstView: 30_000 }

await main(async () => {
  onEnd(() => void stopAll().finally(() => process.exit(130)))
  if (process.platform !== 'linux')
    throw new SetUpError('The app is measured on Linux: /proc and Xvfb tell the figures.')
  await ensurePackages()
  const args = process.argv.slice(2)
  const isPackaging = !args.includes('--no-package')
  const given = process.env['LATCHKEY_TEST_ELECTRON']
  const electron = given
    ? { path: given, version: await versionOf(given), source: /** @type {const} */ ('override') }
    : await setUpElectron({ allowFallback: true, sandboxed: true })
  const built = await step('Building', build)
  if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
  const sizes = [firstViewIn(built.output), ...(isPackaging ? [await step('Packaging', () => asar(electron))] : [])]
  await step('Bundling the benchmark', bundleBenchmark)
  const { code } = await run(
    process.execPath,
    [
      inProject('out', 'bench-app', 'app.mjs'),
      ...['--sizes', JSON.stringify(sizes), '--electron', electron.version],
      ...args.filter((arg) => arg !== '--no-package'),
    ],
    { env: { LATCHKEY_TEST_ELECTRON: electron.path }, show: true },
  )
  return code
})

/** As it says itself (Electron: ELECTRON_RUN_AS_NODE). @param {string} electron */
async function versionOf(electron) {
  const { code, output } = await run(electron, ['-p', 'process.versions.electron'], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
  })
  if (code !== 0) throw new SetUpError(`LATCHKEY_TEST_ELECTRON names no Electron:\n${output}`)
  return output.trim()
}

/** What the build has said of it (scripts/first-view.mjs). @param {string} output */
function firstViewIn(output) {
  const told = /First view: ([\d.]+) kB/.exec(output)?.[1]
  if (told === undefined) throw new SetUpError('The build has not said how large the first view is.')
  return { name: 'JavaScript of the first view, gzipped', bytes: Number(told) * 1_000, most: MOST.firstView }
}

/** @param {import('./setup/electron.mjs').Electron} electron */
async function asar(electron) {
  const output = inProject('out', 'bench', 'package')
  await pack({ system: thisSystem(), targets: ['dir'], archs: [], test: { electron, output, driven: false } })
  const file = inProject('out', 'bench', 'package', 'linux-unpacked', 'resources', 'app.asar')
  return { name: 'asar', bytes: statSync(file).size, most: MOST.asar }
}

/** Node 20 can't run TypeScript. The bare script runs where the app is installed, alone: it is one file. */
async function bundleBenchmark() {
  const into = (/** @type {Record<string, string>} */ input, /** @type {boolean} */ isFirst) =>
    bundle({
      configFile: false,
      root,
      logLevel: 'warn',
      ssr: isFirst ? {} : { noExternal: true, external: ['keytar'] },
      build: {
        ssr: true,
        outDir: 'out/bench-app',
        emptyOutDir: isFirst,
        target: 'node20.18',
        minify: false,
        rolldownOptions: {
          input,
          output: {
            entryFileNames: '[name].mjs',
            chunkFileNames: '[name].mjs',
            ...(isFirst ? {} : { codeSplitting: false }),
          },
        },
      },
    })
  await into({ app: inProject('bench', 'app.ts') }, true)
  // Bundled as the app is: neither finds its modules one by one.
  await into({ engine: inProject('bench', 'app', 'engine.ts') }, false)
  await into({ 'bare-script': inProject('bench', 'app', 'bare-script.ts') }, false)
}
