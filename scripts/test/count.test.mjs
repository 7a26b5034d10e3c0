import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { closing } from './count.mjs'

it('failures, skipped tests and deliberate skips are counted and named', { timeout: 120_000 }, async () => {
  const folder = inProject('out', `count-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = (/** @type {string} */ name) => JSON.stringify(inProject('scripts', 'test', name))
  const files = {
    'vitest.config.mjs': `import { Counter } from ${at('count.mjs')}\nimport ${at('node20.mjs')}
export default { test: { reporters: [new Counter()] } }`,
    'a.test.js': `import { expect, it } from 'vitest'
it('passes', () => {})
it('fails', () => expect(1).toBe(2))
it.skip('waits', () => {})
it('left out', { skip: true, meta: { leftOut: 'no root' } }, () => {})
it('loses', async () => { void Promise.reject(new Error('lost')); await new Promise(setImmediate) })`,
    'b.test.js': "throw new Error('not loaded')",
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const target = path.join(folder, 'count.json')
  const args = [inProject('node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', folder]
  const { code } = await run(process.execPath, args, { cwd: folder, env: { LATCHKEY_TEST_COUNT: target } })
  expect(code).toBe(1)
  const { passed, failed, skipped } = JSON.parse(readFileSync(target, 'utf8'))
  expect({ passed, failed: failed.sort(), skipped }).toEqual({
    passed: 2,
    failed: [
      'a.test.js: fails: expected 1 to be 2 // Object.is equality',
      'a.test.js: waits: it did not run',
      'b.test.js: not loaded',
      'outside the tests: lost',
    ],
    skipped: ['left out: no root'],
  })
})

it('the last line has the counts, after the names', () => {
  expect(
    closing({ passed: 2, failed: ['a: b'], skipped: ['c: d'] })
      .split('\n')
      .filter(Boolean),
  ).toEqual(['Failed:', '  a: b', 'Skipped:', '  c: d', '2 passed, 1 failed, 1 skipped'])
})
