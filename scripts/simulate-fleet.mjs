import { main } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject, root } from './run/project.mjs'
import { ensurePackages } from './setup/packages.mjs'

/** Bundles the simulation, because Node 20 can't run TypeScript, and runs it. */
await main(async () => {
  await ensurePackages()
  const { build } = await import('vite')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'simulation/main.ts',
      outDir: inProject('out', 'simulation'),
      target: 'node20.18',
      rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
    },
  })
  const { code } = await run(process.execPath, [inProject('out', 'simulation', 'main.mjs'), ...process.argv.slice(2)], {
    show: true,
  })
  return code
})
