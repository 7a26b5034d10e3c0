/** Everything that docs/security.md names exists. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/app.ts'
import { codeIn, filesNamed, isFile, tableUnder } from './answers.ts'

/**
 * Electron's twenty recommendations, in its own words (electronjs.org/docs/latest/tutorial/security; the same for
 * Electron 33 and 45).
 */
const ITEMS = [
  'Only load secure content',
  'Do not enable Node.js integration for remote content',
  'Enable context isolation',
  'Enable process sandboxing',
  'Handle session permission requests from remote content',
  'Do not disable `webSecurity`',
  'Define a Content Security Policy',
  'Do not enable `allowRunningInsecureContent`',
  'Do not enable experimental features',
  'Do not use `enableBlinkFeatures`',
  'Do not use `allowpopups` for WebViews',
  'Verify WebView options before creation',
  'Disable or limit navigation',
  'Disable or limit creation of new windows',
  'Do not use `shell.openExternal` with untrusted content',
  'Use a current version of Electron',
  'Validate the `sender` of all IPC messages',
  'Avoid usage of the `file://` protocol and prefer usage of custom protocols',
  'Check which fuses you can change',
  'Do not expose Electron APIs to untrusted web content',
]

const CHECKLIST = tableUnder("Electron's checklist")
const BEYOND = tableUnder('Beyond the checklist')
const BOUNDARIES = tableUnder('The boundaries')
const GUARDED = tableUnder('What is guarded')

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8')
const isTest = (name: string): boolean => /\.test\.(ts|tsx|mjs)$/.test(name)

/** The references in a table cell. Each is a file name in backticks and the texts that must occur in that file. */
function claimsIn(cell: string): { readonly file: string; readonly parts: readonly string[] }[] {
  const claims: { file: string; parts: string[] }[] = []
  for (const code of codeIn(cell)) {
    if (isFile(code)) claims.push({ file: code, parts: [] })
    else claims.at(-1)?.parts.push(code)
  }
  return claims
}

it('every file that docs/security.md names exists', () => {
  const files = filesNamed()
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([])
})

it('every text that docs/security.md quotes from a file is in that file', () => {
  const claims = [...CHECKLIST, ...BEYOND, ...BOUNDARIES, ...GUARDED].flat().flatMap(claimsIn)
  const stands = (file: string, part: string) => {
    const text = existsSync(path.join(ROOT, file)) ? read(file) : ''
    // A test can be quoted by the beginning of its title.
    return text.includes(part) && (!isTest(file) || / /.test(part))
  }
  const wrong = claims.flatMap(({ file, parts }) =>
    parts.filter((part) => !stands(file, part)).map((part) => [file, part]),
  )
  expect(wrong).toEqual([])
})

it('the checklist has each of Electron’s items, with the code that implements it and the test that proves it', () => {
  expect(CHECKLIST.map(([number, item]) => `${number}. ${item}`)).toEqual(
    ITEMS.map((item, index) => `${index + 1}. ${item}`),
  )
  for (const [number, , does = '', shows = ''] of [...CHECKLIST, ...BEYOND.map((row) => ['', ...row])]) {
    const lines = claimsIn(does)
    const tests = claimsIn(shows)
    expect(lines.length, `item ${number}: the line`).toBeGreaterThan(0)
    expect(tests.length, `item ${number}: the test`).toBeGreaterThan(0)
    for (const { file, parts } of lines) expect([file, isTest(file), parts.length > 0]).toEqual([file, false, true])
    for (const { file, parts } of tests) expect([file, isTest(file), parts.length > 0]).toEqual([file, true, true])
  }
})

it('package.json names an exact version of Electron, and the lock file has that version', () => {
  const { devDependencies } = JSON.parse(read('package.json'))
  const { packages } = JSON.parse(read('package-lock.json'))
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/)
  expect(packages['node_modules/electron'].version).toBe(devDependencies.electron)
})
