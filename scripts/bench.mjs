import { buildIfNeeded, bundle } from './build.mjs'
import { main, SetUpError, step } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensureSystem } from './setup/system.mjs'

/** `npm run bench -- [--only NAME]... [--rounds N]`, on Linux. See docs/developers/performance.md. */
await main(async () => {
  if (process.platform !== 'linux') throw new SetUpError('The benchmark needs Linux: it reads /proc and uses Xvfb.')
  await ensureSystem({ display: true, tests: true })
  await ensurePackages()
  const electron = await resolveElectron({ allowFallback: true, sandboxed: true })
  await buildIfNeeded()
  await step('Bundling the benchmark', async () => {
    await bundle('bench/bench.ts', { ssr: {} })
    // Bundles `got`, too, as Latchkey's build does: the bundle is copied to a folder with no package but keytar.
    const ssr = { noExternal: /** @type {true} */ (true), external: ['keytar', 'koffi'] }
    await bundle('bench/bare-token.ts', { format: 'cjs', ssr })
  })
  const script = [inProject('out', 'bench', 'bench.mjs'), '--electron', electron.version, ...process.argv.slice(2)]
  const { code } = await run(process.execPath, script, { env: { LATCHKEY_TEST_ELECTRON: electron.path }, show: true })
  return code
})
