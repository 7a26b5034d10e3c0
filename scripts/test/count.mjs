/**
 * @typedef {{ passed: number, failed: number }} Count
 *
 * @typedef {{ status: string, meta?: { leftOut?: string } }} Test
 *
 * @typedef {object} Report The part of Vitest's JSON report that these functions read.
 * @property {readonly { status: string, assertionResults: readonly Test[] }[]} testResults
 */

/**
 * Counts the tests of a project. All of these count as failed: a skipped test without a `leftOut` reason, a file that
 * could not be loaded, a project without tests, a run that failed although every test passed, and a missing report.
 * @param {string | undefined} json The report; `undefined` if it is missing.
 * @param {number} code The run's exit code.
 * @returns {Count}
 */
export function countReport(json, code) {
  const report = parse(json)
  if (report === undefined) return { passed: 0, failed: 1 }
  const count = report.testResults.map(countFile).reduce(add, NOTHING)
  const isUnreported = count.failed === 0 && (code !== 0 || count.passed === 0)
  return isUnreported ? add(count, { passed: 0, failed: 1 }) : count
}

/**
 * The number of tests that this system can't run, by reason (`test/support/systems.ts`).
 * @param {string | undefined} json
 */
export function leftOut(json) {
  const tests = parse(json)?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? []
  /** @type {Map<string, number>} */
  const reasons = new Map()
  for (const test of tests) {
    const reason = reasonOf(test)
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return reasons
}

/** @param {Test} test */
const reasonOf = ({ status, meta }) => (status === 'skipped' || status === 'pending' ? meta?.leftOut : undefined)

/** @param {Report['testResults'][number]} file */
function countFile({ status, assertionResults }) {
  const tests = assertionResults.filter((test) => reasonOf(test) === undefined)
  const passed = tests.filter((test) => test.status === 'passed').length
  const failed = tests.length - passed
  return { passed, failed: failed === 0 && status !== 'passed' ? 1 : failed }
}

/** @type {Count} */
export const NOTHING = { passed: 0, failed: 0 }

/**
 * @param {Count} a
 * @param {Count} b
 * @returns {Count}
 */
export const add = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed })

/** @param {Count} count */
export const sentence = ({ passed, failed }) => `${passed} passed, ${failed} failed`

/**
 * @param {string | undefined} json
 * @returns {Report | undefined}
 */
function parse(json) {
  try {
    const value = JSON.parse(json ?? '')
    return Array.isArray(value?.testResults) ? value : undefined
  } catch {
    return undefined
  }
}
