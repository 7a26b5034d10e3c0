import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { main } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { ensurePackages } from './setup/packages.mjs'

/**
 * `npm run docs` writes what comes from a table: the settings (contract/setting-rows.ts) into the documentation and the
 * administrators' templates, and the commands (cli/commands.mjs) into scripts, completions and man page.
 */
await main(async () => {
  await ensurePackages()
  const { runnerImport } = await import('vite')
  /** Loads a file with Vite, because the file imports TypeScript, which Node 20 can't run. @param {string} file */
  const load = async (file) => (await runnerImport(inProject('scripts', 'docs', file), { configFile: false })).module
  const { policySchema } = await load('policy-schema.mjs')
  const { policyTemplates } = await load('policy-templates.mjs')
  const { withSettingsTable } = await load('settings-page.mjs')
  const { FILES, withCommands } = await import('../cli/commands.mjs')
  for (const file of FILES.map((name) => inProject('cli', name))) {
    writeFileSync(file, withCommands(path.relative(inProject('cli'), file), readFileSync(file, 'utf8')))
  }
  const schema = inProject('docs', 'administrators', 'policy.schema.json')
  const page = inProject('docs', 'administrators', 'settings.md')
  writeFileSync(schema, JSON.stringify(policySchema()))
  writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')))
  for (const [name, content] of Object.entries(policyTemplates())) {
    const file = inProject('docs', 'administrators', 'policies', name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const biome = inProject('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const { code } = await run(process.execPath, [biome, 'format', '--write', schema], { show: true })
  return code
})
