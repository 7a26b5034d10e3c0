import { writeFileSync } from 'node:fs'

/**
 * What ran. Each failure or skipped test is a line that names it and says why.
 * @typedef {{ readonly passed: number, readonly failed: readonly string[], readonly skipped: readonly string[] }} Count
 * @typedef {import('vitest/node').TestModule} TestModule
 */

/** @type {Count} */
export const NOTHING = { passed: 0, failed: [], skipped: [] }

/** @param {readonly Count[]} counts @returns {Count} */
export const total = (counts) => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.flatMap(({ failed }) => failed),
  skipped: counts.flatMap(({ skipped }) => skipped),
})

/** The last lines of a run. @param {Count} count */
export const closing = ({ passed, failed, skipped }) =>
  [
    ...(failed.length > 0 ? ['\nFailed:', ...failed.map((line) => `  ${line}`)] : []),
    ...(skipped.length > 0 ? ['\nSkipped:', ...skipped.map((line) => `  ${line}`)] : []),
    `${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  ].join('\n')

/**
 * Counts the tests of a file. A file that can't be loaded counts as failed.
 * @param {TestModule} file
 * @param {boolean} isWhole True if a test may be skipped only with a reason (`test/support/systems.ts`).
 * @returns {Count}
 */
function countFile(file, isWhole) {
  const tests = [...file.children.allTests()]
  const lines = tests.flatMap((test) => {
    const { state, errors } = test.result()
    if (state === 'passed') return []
    const { leftOut } = /** @type {{ leftOut?: string }} */ (test.meta())
    if (state !== 'failed' && leftOut !== undefined) return [{ kind: 'skipped', line: `${test.fullName}: ${leftOut}` }]
    if (state === 'skipped' && !isWhole) return [{ kind: 'unnamed', line: '' }]
    const why = errors?.[0]?.message ?? file.errors()[0]?.message ?? 'it did not run'
    return [{ kind: 'failed', line: `${file.relativeModuleId}: ${test.fullName}: ${firstLine(why)}` }]
  })
  const of = (/** @type {string} */ kind) => lines.filter((each) => each.kind === kind).map(({ line }) => line)
  const whole = file.state() === 'failed' && of('failed').length === 0
  return {
    passed: tests.length - lines.length,
    failed: whole ? [`${file.relativeModuleId}: ${firstLine(file.errors()[0]?.message ?? 'failed')}`] : of('failed'),
    skipped: of('skipped'),
  }
}

const firstLine = (/** @type {string} */ text) => text.split('\n')[0] ?? ''

/** A reporter that ends each run with its count, or writes the count to the file that LATCHKEY_TEST_COUNT names. */
export class Counter {
  /** @param {readonly TestModule[]} files @param {readonly { message?: string }[]} errors */
  onTestRunEnd(files, errors) {
    const { LATCHKEY_TEST_COUNT: target } = process.env
    const count = total(files.map((file) => countFile(file, target !== undefined)))
    // An error outside the tests, such as a rejection that nobody handles, also fails the run.
    const failed = [...count.failed, ...errors.map(({ message }) => `outside the tests: ${firstLine(message ?? '')}`)]
    if (failed.length > 0) process.exitCode = 1
    // So that a project without tests is noticed.
    const projects = [...new Set(files.map(({ project }) => project.name))]
    if (target === undefined) console.log(closing({ ...count, failed }))
    else writeFileSync(target, JSON.stringify({ ...count, failed, projects }))
  }
}
