import { buildIfNeeded } from './build.mjs'
import { main, SetUpError, step } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject, root } from './run/project.mjs'
import { setUpElectron, setUpPackages } from './setup.mjs'

/** `npm run bench -- [--only NAME]... [--rounds N]`, on Linux. See docs/developers/performance.md. */
await main(async () => {
  if (process.platform !== 'linux') throw new SetUpError('The benchmark needs Linux: it reads /proc and uses Xvfb.')
  await setUpPackages({ display: true, tests: true })
  const electron = await setUpElectron({ allowFallback: true, sandboxed: true })
  await buildIfNeeded()
  await step('Bundling the benchmark', async () => {
    await bundleFile('bench', 'esm')
    // Bundles and minifies got, too, as Latchkey's own build does: the file is copied to a folder with only keytar.
    await bundleFile('bare-token', 'cjs', { noExternal: true, external: ['keytar', 'koffi'] })
  })
  const script = [inProject('out', 'bench', 'bench.mjs'), '--electron', electron.version, ...process.argv.slice(2)]
  const { code } = await run(process.execPath, script, { env: { LATCHKEY_TEST_ELECTRON: electron.path }, show: true })
  return code
})

/**
 * Bundles a TypeScript file, because Node 20 can't run TypeScript.
 * @param {string} name
 * @param {'esm' | 'cjs'} format
 * @param {import('vite').SSROptions} [ssr]
 */
async function bundleFile(name, format, ssr = {}) {
  // The package may have been installed only now.
  const { build: bundle } = await import('vite')
  await bundle({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr,
    build: {
      ssr: inProject('bench', `${name}.ts`),
      outDir: 'out/bench',
      emptyOutDir: false,
      target: 'node20.18',
      minify: format === 'cjs',
      rolldownOptions: {
        output: { format, entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].mjs', codeSplitting: false },
      },
    },
  })
}
