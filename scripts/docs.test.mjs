import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withSettingsTable } from './docs/administrators-page.mjs'
import { policySchema } from './docs/policy-schema.mjs'
import { inProject } from './run/project.mjs'

const read = (/** @type {string} */ name) => readFileSync(inProject('docs', name), 'utf8')
const page = read('administrators.md')

// Compares the content and the order of the keys. `npm run lint` checks the formatting.
it('the schema of the policy file is what `npm run docs` writes', () => {
  expect(JSON.stringify(JSON.parse(read('policy.schema.json')))).toBe(JSON.stringify(policySchema()))
})

it('the table of settings on the administrator’s page is what `npm run docs` writes', () => {
  expect(page).toBe(withSettingsTable(page))
})

it('`npm run docs` refuses a page without the marks that enclose the table of settings', () => {
  expect(() => withSettingsTable(page.replace('<!-- settings: end -->', ''))).toThrow('no place')
})

const PAGES = ['README.md', 'SECURITY.md', ...readdirSync(inProject('docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(inProject(name), 'utf8') }))

describe.each(
  PAGES.filter(({ name, text }) => name !== 'docs/installing.md' && /`latchkey [a-z]|^latchkey /m.test(text)),
)('$name', ({ text }) => {
  it('a page with a latchkey command links to the section that puts the command on the PATH', () => {
    expect(text).toContain('installing.md#the-command-on-the-path')
  })

  it('each snippet with a pipeline begins by setting pipefail', () => {
    const shell = [...text.matchAll(/^```(?:sh|bash)\b.*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
    expect(shell.filter((code) => / \| /.test(code) && !code.startsWith('set -o pipefail\n'))).toEqual([])
  })
})

it('docs/installing.md has the section about the command on the PATH', () => {
  expect(read('installing.md')).toContain('\n## The command on the PATH\n')
})

it('every picture in docs/images is shown by a page, has a description, and is at most 80 kB', () => {
  const used = PAGES.flatMap(({ text }) => [...text.matchAll(/!\[([^\]]+)\]\((?:docs\/)?images\/([^)]+)\)/g)])
  const files = readdirSync(inProject('docs', 'images'))
  expect(used.map(([, , file]) => file).sort()).toEqual(files.sort())
  expect(files.filter((file) => statSync(inProject('docs', 'images', file)).size > 80_000)).toEqual([])
})
