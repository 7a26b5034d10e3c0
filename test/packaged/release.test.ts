/** What of the tests goes through the package, here and on the systems of .github/workflows/release.yml: the guide tells. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import config from '../../vitest.config.ts'
import { ROOT } from '../support/app.ts'

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8')
const release = read('.github/workflows/release.yml')
const guide = read('docs/installing.md')

/** The files that vitest.config.ts names for it. */
function packagedProject(): readonly string[] {
  const projects = config.test?.projects ?? []
  const project = projects.find((each) => typeof each === 'object' && 'test' in each && each.test?.name === 'packaged')
  return typeof project === 'object' && 'test' in project ? (project.test?.include ?? []) : []
}

/** `{a,b}` as a shell reads it. */
const tried = [...release.matchAll(/(test\/\w+)\/\{([\w,-]+)\}/g)].flatMap(([, folder, names = '']) =>
  names.split(',').map((name) => `${folder}/${name}.test.ts`),
)

it('the guide says of each end to end test whether it goes through the package', () => {
  const rows = [...guide.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (all|none)\b.*\|$/gm)]
  const named = rows.flatMap(([, names = '', how]) =>
    names.split(', ').map((name) => [name.slice(1, -1), how] as const),
  )
  const driven = packagedProject().flatMap((file) => /^test\/e2e\/(.*)\.test\.ts$/.exec(file)?.[1] ?? [])
  const all = readdirSync(path.join(ROOT, 'test/e2e')).map((file) => file.replace('.test.ts', ''))
  expect(named.map(([name]) => name).sort()).toEqual(all.sort())
  expect(
    named
      .filter(([, how]) => how === 'all')
      .map(([name]) => name)
      .sort(),
  ).toEqual(driven.sort())
})

it('the tests that it runs there are there', () => {
  expect(tried).toEqual(expect.arrayContaining(['test/e2e/main-job.test.ts', 'test/packaged/refused.test.ts']))
  expect(tried.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([])
})

it('what it leaves out there are tests of these files, and the guide says which', () => {
  const left = [...release.matchAll(/^ +without: (.*)$/gm)].map(([, names = '']) => names.split('|'))
  expect(left).toHaveLength(2)
  const tests = tried.map(read).join('\n')
  expect(left.flat().filter((name) => !tests.includes(`it('${name}`))).toEqual([])
  const said = guide.replaceAll(/\s+/g, ' ')
  expect(left.flat().filter((name) => !said.includes(`“${name}`))).toEqual([])
})
