import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FILES, withCommands } from '../cli/commands.mjs'
import { policySchema } from './docs/policy-schema.mjs'
import { withSettingsTable } from './docs/settings-page.mjs'
import { inProject } from './run/project.mjs'

const read = (/** @type {string} */ name) => readFileSync(inProject('docs', 'administrators', name), 'utf8')
const page = read('settings.md')

// Compares content and order; `npm run lint` checks the formatting.
it('the schema of the policy file is what `npm run docs` writes', () => {
  expect(JSON.stringify(JSON.parse(read('policy.schema.json')))).toBe(JSON.stringify(policySchema()))
})

it('the table of settings on the page of settings is what `npm run docs` writes', () => {
  expect(page).toBe(withSettingsTable(page))
})

it('`npm run docs` refuses a page without the marks around the table of settings', () => {
  expect(() => withSettingsTable(page.replace('<!-- settings: end -->', ''))).toThrow('no place')
})

it.each(FILES)('the commands in cli/%s are what `npm run docs` writes', (file) => {
  const text = readFileSync(inProject('cli', file), 'utf8')
  expect(text).toBe(withCommands(file, text))
})
