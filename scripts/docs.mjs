import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { main } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { ensurePackages } from './setup/packages.mjs'

/** `npm run docs` writes the tables of settings and commands into pages, templates, scripts and the man page. */
await main(async () => {
  await ensurePackages()
  // Vite loads the file, because it imports TypeScript, which Node 20 can't run.
  const { runnerImport } = await import('vite')
  /** @type {{ module: typeof import('./docs/files.ts') }} */
  const { module } = await runnerImport(inProject('scripts/docs/files.ts'), { configFile: false })
  for (const [file, content] of Object.entries(module.files())) {
    mkdirSync(path.dirname(inProject(file)), { recursive: true })
    writeFileSync(inProject(file), content)
  }
  const biome = inProject('node_modules/@biomejs/biome/bin/biome')
  const { code } = await run(process.execPath, [biome, 'format', '--write', module.SCHEMA], { show: true })
  return code
})
