import { readFileSync, writeFileSync } from 'node:fs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { main } from './run/say.mjs'
import { ensurePackages } from './setup/packages.mjs'

/**
 * `npm run docs`: writes the parts of the documentation that come from the table of settings (contract/setting-rows.ts).
 */
await main(async () => {
  await ensurePackages()
  const { runnerImport } = await import('vite')
  /** Loads the file with Vite, because the file imports TypeScript, which Node 20 can't run. @param {string} file */
  const load = async (file) => (await runnerImport(inProject('scripts', 'docs', file), { configFile: false })).module
  const { policySchema } = await load('policy-schema.mjs')
  const { withSettingsTable } = await load('administrators-page.mjs')
  const schema = inProject('docs', 'policy.schema.json')
  const page = inProject('docs', 'administrators.md')
  writeFileSync(schema, JSON.stringify(policySchema()))
  writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')))
  const biome = inProject('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const { code } = await run(process.execPath, [biome, 'format', '--write', schema], { show: true })
  return code
})
