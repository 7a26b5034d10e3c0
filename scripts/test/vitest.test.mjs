import { expect, it } from 'vitest'
import { judge } from './vitest.mjs'

const found = { passed: 2, failed: [], skipped: [], projects: ['unit'] }

it.each([
  ['passes', found, 0, []],
  ['fails if a project has no test', { ...found, projects: [] }, 0, ['unit: no test ran']],
  ['fails if Vitest failed, although every test passed', found, 1, ['the tests: the run ended']],
  ['fails if nothing was counted', undefined, 0, ['the tests: the run ended']],
])('a run %s', (_, count, code, failed) => {
  expect(judge(count, ['unit'], 'ended', code).failed).toEqual(failed)
})
