import { describe, expect, it } from 'vitest'
import { add, countReport, FAILED, failures, NOTHING, sentence } from './count.mjs'

const file = (/** @type {string} */ status, /** @type {string[]} */ ...tests) => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
})
const report = (/** @type {ReturnType<typeof file>[]} */ ...testResults) => JSON.stringify({ testResults })

describe('a project’s tests', () => {
  it('the counts include the tests of all files', () => {
    const json = report(file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'))
    expect(countReport(json, 1)).toEqual({ passed: 3, failed: 1, skipped: [] })
  })

  it('tests that were skipped or are still to be written count as failed', () => {
    expect(countReport(report(file('passed', 'passed', 'skipped', 'pending', 'todo')), 0)).toEqual({
      passed: 1,
      failed: 3,
      skipped: [],
    })
  })

  it('tests that this system can’t run are counted separately, by name and with the reason', () => {
    const posix = (/** @type {string} */ one, /** @type {string} */ reason) => ({
      status: one,
      fullName: ' a test',
      meta: { leftOut: reason },
    })
    const tests = [posix('skipped', 'modes'), posix('skipped', 'links')]
    const json = JSON.stringify({
      testResults: [
        { status: 'passed', assertionResults: [...tests, { status: 'passed' }] },
        // The second file has only tests that this system can't run. In the third file, tests with a `leftOut` reason
        // ran nevertheless.
        { status: 'passed', assertionResults: [posix('skipped', 'links')] },
        { status: 'failed', assertionResults: [posix('failed', 'modes'), posix('passed', 'modes')] },
      ],
    })
    const skipped = ['a test: modes', 'a test: links', 'a test: links']
    expect(countReport(json, 1)).toEqual({ passed: 2, failed: 1, skipped })
  })

  it('a file that could not be loaded counts as one failure', () => {
    expect(countReport(report(file('passed', 'passed'), file('failed')), 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: [],
    })
  })

  it('a run that failed counts as one failure, even if each test passed', () => {
    expect(countReport(report(file('passed', 'passed')), 1)).toEqual({ passed: 1, failed: 1, skipped: [] })
  })

  it('a project without tests counts as one failure', () => {
    expect(countReport(report(), 0)).toEqual(FAILED)
  })

  it.each([undefined, '', '{', '{}', 'null'])('a missing or invalid report counts as one failure: %s', (json) => {
    expect(countReport(json, 0)).toEqual(FAILED)
  })
})

it('`sentence` gives the totals of the added counts', () => {
  const count = add({ ...NOTHING, passed: 3 }, { ...NOTHING, passed: 4, failed: 2 })
  expect(sentence(count)).toBe('7 passed, 2 failed')
  expect(sentence(add(count, { ...NOTHING, skipped: ['a test: modes'] }))).toBe('7 passed, 2 failed, 1 skipped')
})

it('`failures` names each failed test, and a file that could not be loaded', () => {
  const test = { status: 'failed', fullName: 'it works', failureMessages: ['Error: no\n    at x'] }
  const json = JSON.stringify({
    testResults: [
      { name: 'a.test.ts', status: 'failed', assertionResults: [test, { status: 'passed', fullName: 'b' }] },
      { name: 'b.test.ts', status: 'failed', message: 'SyntaxError: x', assertionResults: [] },
    ],
  })
  expect(failures(json)).toEqual(['a.test.ts: it works: Error: no', 'b.test.ts: SyntaxError: x'])
  expect(failures(undefined)).toEqual([])
})
