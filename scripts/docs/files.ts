import { readFileSync } from 'node:fs'
import { FILES, withCommands } from '../../cli/commands.mjs'
import { KINDS } from '../../contract/setting-rows.ts'
import { isStructure, SETTING_NAMES, SETTINGS, type SettingName } from '../../contract/settings.ts'
import words from '../../docs/developers/settings.json' with { type: 'json' }
import { inProject } from '../run/project.mjs'
import { policySchema } from './policy-schema.ts'
import { policyTemplates } from './policy-templates.ts'

export const SCHEMA = 'docs/administrators/policy.schema.json'
const PAGE = 'docs/administrators/settings.md'
const BEGIN = '<!-- settings: begin; npm run docs writes this table -->'
const END = '<!-- settings: end -->'
const read = (file: string) => readFileSync(inProject(file), 'utf8')
const { version } = JSON.parse(read('package.json'))
const withVersion = (text: string) =>
  text.replace(/(lk_version=|\$Version = '|"Latchkey )[\w.-]+/, (_, before) => before + version)
const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]))

/** The content, by path, of each file that comes wholly or in part from the tables of commands and settings. */
export const files = () => ({
  ...below(
    'cli',
    Object.fromEntries(FILES.map((name) => [name, withVersion(withCommands(name, read(`cli/${name}`)))])),
  ),
  [SCHEMA]: JSON.stringify(policySchema()),
  [PAGE]: withSettingsTable(read(PAGE)),
  ...below('docs/administrators/policies', policyTemplates()),
})

const code = (text: string | boolean) => `\`${text}\``
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** `tls` has a row for each of its keys. */
function rowsOf(name: SettingName) {
  if (!isStructure(name)) {
    const { variable, user, default: value } = SETTINGS[name]
    const { minimum, maximum } = KINDS.port
    const text = words.values[name].page.replace('{minimum}', `${minimum}`).replace('{maximum}', `${maximum}`)
    const page = value === undefined ? text : `${text} (default: ${code(value)})`
    const type = KINDS[SETTINGS[name].kind].type
    return [
      row(code(name), type, variable === undefined ? '' : code(variable), user === undefined ? 'no' : 'yes', page),
    ]
  }
  if (name === 'connections') return [row(code(name), 'object', '', 'no', words.connections.page)]
  return Object.entries(words.tls.parts).map(([part, { page }]) =>
    row(code(`tls.${part}`), part === 'caFiles' ? 'array' : 'object', '', 'no', page),
  )
}

const table = () =>
  [
    row('key', 'type', 'variable', 'users can set it', 'what it sets'),
    row('---', '---', '---', '---', '---'),
    ...SETTING_NAMES.flatMap(rowsOf),
  ].join('\n')

function withSettingsTable(page: string): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error('The page has no place for the table of settings.')
  return `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`
}
