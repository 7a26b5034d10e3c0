/** Compares the tests that .github/workflows/release.yml names with the files in `test` and with docs/installing.md. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/app.ts'

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8')
const release = read('.github/workflows/release.yml')
const guide = read('docs/installing.md')

/** The test files that release.yml runs. Expands `{a,b}` in their names as a shell does. */
const tried = [...release.matchAll(/(test\/\w+)\/\{([\w,-]+)\}/g)].flatMap(([, folder, names = '']) =>
  names.split(',').map((name) => `${folder}/${name}.test.ts`),
)

it('every test file that release.yml runs exists', () => {
  expect(tried).toEqual(expect.arrayContaining(['test/e2e/main-job.test.ts', 'test/packaged/refused.test.ts']))
  expect(tried.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([])
})

it('every test that release.yml leaves out exists, and docs/installing.md lists it', () => {
  const left = [...release.matchAll(/^ +without: (.*)$/gm)].map(([, names = '']) => names.split('|'))
  expect(left).toHaveLength(2)
  const tests = tried.map(read).join('\n')
  expect(left.flat().filter((name) => !tests.includes(`it('${name}`))).toEqual([])
  const said = guide.replaceAll(/\s+/g, ' ')
  expect(left.flat().filter((name) => !said.includes(`“${name}`))).toEqual([])
})
