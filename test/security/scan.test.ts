/** Runs Electronegativity on the build. docs/security.md must answer every finding. */
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyToRead, inspect } from '../../scripts/electronegativity.mjs'
import { ROOT } from '../support/app.ts'
import { codeIn, tableUnder } from './answers.ts'

const BUILT = path.join(ROOT, 'out')
const PARTS = ['main', 'preload', 'renderer']

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-scan-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const scripts = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.c?js$/.test(name))

it('docs/security.md answers exactly the findings of Electronegativity', async () => {
  const copy = temporaryFolder()
  await copyToRead(BUILT, copy)
  const { findings, errors } = await inspect(copy)
  const answers = tableUnder('What Electronegativity finds').map(([check, weight, part, code, answer = '']) => {
    expect(answer.split(' ').length, `an answer to ${check}`).toBeGreaterThan(5)
    return [check, part, code].map((cell) => codeIn(cell ?? '')[0] ?? '').concat(weight ?? '')
  })
  expect(errors).toEqual([])
  expect(findings.map(({ check, part, code, weight }) => [check, part, code, weight]).sort()).toEqual(answers.sort())
})

it('Electronegativity scans every packaged file of the build', async () => {
  const built = temporaryFolder()
  for (const part of PARTS) cpSync(path.join(BUILT, part), path.join(built, part), { recursive: true })
  const names = scripts(built)
  expect(names.length).toBeGreaterThan(5)
  // Code that Electronegativity reads only after `copyToRead` has converted it: minified, with private members.
  const planted =
    'new class{#a=globalThis.a;b(){this.#a?.shell.openExternal(this.#a)}},new zz.BrowserWindow({webPreferences:{sandbox:!1}})'
  for (const name of names) appendFileSync(path.join(built, name), `\n;${planted}\n`)

  const copy = temporaryFolder()
  await copyToRead(built, copy)
  const { findings, errors } = await inspect(copy)
  expect(errors).toEqual([])
  // In the app's own code, there is one finding about openExternal, and none about the sandbox.
  for (const [check, own] of [
    ['OPEN_EXTERNAL_JS_CHECK', 1],
    ['SANDBOX_JS_CHECK', 0],
  ] as const) {
    expect(findings.filter((each) => each.check === check)).toHaveLength(names.length + own)
  }
})

it('a file that Electronegativity can’t parse is an error, and the others are still scanned', async () => {
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'broken.js'), 'class {')
  writeFileSync(path.join(folder, 'modern.js'), 'class A { #b; c() { return this.#b } }')
  writeFileSync(path.join(folder, 'good.js'), 'shell.openExternal(address)')
  const { findings, errors } = await inspect(folder)
  expect(findings.map(({ check }) => check)).toContain('OPEN_EXTERNAL_JS_CHECK')
  // The order of the results is not defined.
  expect([...errors].sort()).toEqual([expect.stringMatching(/broken\.js: /), expect.stringMatching(/modern\.js: /)])
})

it('the build sends no crash reports, turns off no Electronegativity check, and has one call of openExternal', () => {
  const all = scripts(BUILT).filter((name) => PARTS.includes(name.split(path.sep)[0] ?? ''))
  const read = all.map((name) => ({ name, text: readFileSync(path.join(BUILT, name), 'utf8') }))
  expect(read.length).toBeGreaterThan(5)
  expect(read.filter(({ text }) => /crashReporter|eng-disable/.test(text)).map(({ name }) => name)).toEqual([])
  const opening = read.flatMap(({ name, text }) => [...text.matchAll(/openExternal/g)].map(() => name))
  expect(opening).toEqual([expect.stringMatching(/^main\b/)])
})
