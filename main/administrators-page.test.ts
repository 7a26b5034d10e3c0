/** Tests that docs/administrators.md matches the code. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { APP_SETTING_NAMES, SETTING_FIELDS, SETTINGS } from '../contract/settings.ts'
import { parsePolicy, policyPath } from './settings/policy.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const page = read('docs/administrators.md')
const samples = readdirSync(path.join(ROOT, 'docs')).filter((name) => /^policy-.*\.json$/.test(name))

it.each(samples)('the schema and the app accept the sample %s, and the page mentions it', (name) => {
  const validate = new Ajv({ allErrors: true }).compile(JSON.parse(read('docs/policy.schema.json')))
  const sample = read(`docs/${name}`)
  expect(validate(JSON.parse(sample)), JSON.stringify(validate.errors)).toBe(true)
  const { layer, problems } = parsePolicy(name, sample)
  expect(problems).toEqual([])
  expect(layer.baseAddress).toBe('https://data.example.com')
  expect(page).toContain(`(${name})`)
})

it('the page mentions every existing sample, and no other', () => {
  const named = [...page.matchAll(/\((policy-[^)]*\.json)\)/g)].map(([, name]) => name)
  expect(named.sort()).toEqual(samples.sort())
  expect(samples).not.toEqual([])
})

it('the page mentions the path of the policy file', () => {
  for (const platform of ['linux', 'darwin'] as const) expect(page).toContain(policyPath(platform, {}))
  expect(page).toContain(policyPath('win32', { ProgramFiles: '%ProgramFiles%' }))
})

it('the page mentions every setting with its variable, and each part of the setting tls', () => {
  const { properties } = JSON.parse(read('docs/policy.schema.json'))
  const parts = Object.keys(properties.tls.properties).map((part) => `tls.${part}`)
  const rows = [
    ...SETTING_FIELDS.map((field) => `| \`${field}\` | \`${SETTINGS[field].variable}\` |`),
    ...['connections', ...APP_SETTING_NAMES, ...parts].map((key) => `| \`${key}\` |`),
  ]
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})

it('the page lists every event of the log, and no other', () => {
  const sources = readdirSync(path.join(ROOT, 'main'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .map((name) => read(path.join('main', name)))
    .join('\n')
  const said = [...sources.matchAll(/\blog\??\.(?:info|warn|error)\('([\w.]+)'/g)].map(([, event]) => event)
  const made = [...sources.matchAll(/\bevent: '(\w+\.\w+)'/g)].map(([, event]) => event)
  // Names of events that the code chooses with a conditional expression.
  const chosen = [...sources.matchAll(/\? '(session\.\w+)' : '(session\.\w+)'/g)].flatMap(([, one, other]) => [
    one,
    other,
  ])
  const table = page.slice(page.indexOf('### The log'), page.indexOf('## Diagnostics'))
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const told = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, event]) => event))
  expect([...new Set(told)].sort()).toEqual([...new Set([...said, ...made, ...chosen])].sort())
})
