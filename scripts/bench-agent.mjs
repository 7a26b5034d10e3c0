import { build as bundle } from 'vite'
import { build } from './build.mjs'
import { startDisplay } from './run/display.mjs'
import { onEnd, run, stopAll } from './run/process.mjs'
import { inProject, root } from './run/project.mjs'
import { main, SetUpError, say, step } from './run/say.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { setUpElectron } from './setup.mjs'

/**
 * `npm run bench:agent -- [--quick] [--no-app] [--rounds N] [--only MEASURE]`: measures the agent beside what else is on this
 * machine. Installs nothing of the system: what isn't there is named in the table.
 */
await main(async () => {
  onEnd(() => void stopAll().finally(() => process.exit(130)))
  await ensurePackages()
  const args = process.argv.slice(2)
  await step('Bundling the benchmark', () => bundleBenchmark())
  const app = args.includes('--no-app') ? undefined : await theApp()
  try {
    const script = inProject('out', 'bench-script', 'agent.mjs')
    const given = app === undefined && !args.includes('--no-app') ? [...args, '--no-app'] : args
    const { code } = await run(process.execPath, [script, ...given], { env: app?.env ?? {}, show: true })
    return code
  } finally {
    await app?.stop()
  }
})

/** Node 20 can't run TypeScript: it becomes plain modules, the servers each one of their own. What is installed stays outside. */
async function bundleBenchmark() {
  const input = {
    agent: inProject('bench', 'agent.ts'),
    'agent-server': inProject('bench', 'servers', 'agent-server.ts'),
    'bare-server': inProject('bench', 'servers', 'bare-server.ts'),
  }
  await bundle({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: 'out/bench-script',
      emptyOutDir: true,
      target: 'node20.18',
      minify: false,
      rolldownOptions: { input, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  })
}

/** The built app and somewhere to show it; without an Electron or a display, nothing. */
async function theApp() {
  try {
    const electron = await setUpElectron({ allowFallback: true, sandboxed: true })
    const built = await step('Building', build)
    if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
    const display =
      process.platform === 'linux' ? await startDisplay({ openToLocalUsers: process.getuid?.() === 0 }) : undefined
    const env = { ...display?.env, LATCHKEY_TEST_ELECTRON: electron.path }
    return { env, stop: async () => display?.stop() }
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    say(`The app itself is not measured: ${error.message}`)
    return undefined
  }
}
