import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../run/process.mjs'
import { inProject, root } from '../run/project.mjs'
import { ALL, vitest } from './vitest.mjs'

const name = 'count'
const folder = inProject('out', `count-${process.pid}`)

/** Runs these files in a folder of their own. @param {Record<string, string>} files */
async function count(files) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const node20 = JSON.stringify(inProject('scripts', 'test', 'node20.mjs'))
  const all = { 'vitest.config.mjs': `import ${node20}\nexport default {}`, ...files }
  for (const [file, text] of Object.entries(all)) writeFileSync(path.join(folder, file), text)
  const here = path.relative(root, folder) + path.sep
  const { passed, failed, skipped } = await vitest([], {
    name,
    runNode: (args, env) => run(process.execPath, [...args, '--root', folder], { cwd: folder, env }),
  })
  return { passed, failed: failed.map((line) => line.replace(here, '')).sort(), skipped }
}

it('failures, skipped tests, and a file or a run with an error outside the tests count', {
  timeout: 120_000,
}, async () => {
  const files = {
    'a.test.js': `import { expect, it } from 'vitest'
it('passes', () => {})
it('fails', () => expect(1).toBe(2))
it.skip('waits', () => {})
it('left out', { skip: true, meta: { leftOut: 'no root' } }, () => {})`,
    'b.test.js': "throw new Error('not loaded')",
  }
  expect(await count(files)).toEqual({
    passed: 1,
    failed: [
      'a.test.js: fails: AssertionError: expected 1 to be 2 // Object.is equality',
      'a.test.js: waits: it did not run',
      'b.test.js: not loaded',
    ],
    skipped: ['left out: no root'],
  })
  const text = `import { it } from 'vitest'
it('loses', async () => { void Promise.reject(new Error('lost')); await new Promise(setImmediate) })`
  const { failed } = await count({ 'a.test.js': text })
  expect(failed).toEqual([`the tests (${name}): the run ended with code 1`])
})

it('every project has tests', { timeout: 120_000 }, async () => {
  const wanted = [...ALL, 'windows', 'powershell', 'wine', 'packages', 'installers']
  const list = ['list', '--filesOnly', '--json', ...wanted.map((project) => `--project=${project}`)]
  const { output } = await run(process.execPath, [inProject('node_modules/vitest/vitest.mjs'), ...list])
  // Vitest itself takes no notice of a project whose pattern matches no file.
  expect(wanted.filter((project) => !output.includes(`"projectName": "${project}"`))).toEqual([])
})
