import { readFileSync } from 'node:fs'
import { FILES, withCommands } from '../../cli/commands.mjs'
import { inProject } from '../run/project.mjs'
import { policySchema } from './policy-schema.ts'
import { policyTemplates } from './policy-templates.ts'
import { withSettingsTable } from './settings-page.ts'

export const SCHEMA = 'docs/administrators/policy.schema.json'
const PAGE = 'docs/administrators/settings.md'
const read = (file: string) => readFileSync(inProject(file), 'utf8')
const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]))

/** The content, by path, of each file that comes wholly or in part from the tables of commands and settings. */
export const files = () => ({
  ...below('cli', Object.fromEntries(FILES.map((name) => [name, withCommands(name, read(`cli/${name}`))]))),
  [SCHEMA]: JSON.stringify(policySchema()),
  [PAGE]: withSettingsTable(read(PAGE)),
  ...below('docs/administrators/policies', policyTemplates()),
})
