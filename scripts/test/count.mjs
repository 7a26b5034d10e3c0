/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} skipped A line for each test that this machine can't run: its name and the reason.
 *
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[],
 *   meta?: { leftOut?: string } }} Test
 *
 * @typedef {object} Report The part of Vitest's JSON report that these functions read.
 * @property {readonly { name?: string, message?: string, status: string, assertionResults: readonly Test[] }[]} testResults
 */

/**
 * Counts the tests of a project. All of these count as failed: a skipped test without a reason
 * (`test/support/systems.ts`), a file that could not be loaded, a project without tests, a run that failed although
 * every test passed, and a missing report.
 * @param {string | undefined} json The report; `undefined` if it is missing.
 * @param {number} code The run's exit code.
 * @returns {Count}
 */
export function countReport(json, code) {
  const report = parse(json)
  if (report === undefined) return FAILED
  const count = report.testResults.map(countFile).reduce(add, NOTHING)
  const isUnreported = count.failed === 0 && (code !== 0 || count.passed === 0)
  return isUnreported ? add(count, FAILED) : count
}

/**
 * A line for each failed test: its file, its name, and the first line of what went wrong.
 * @param {string | undefined} json The report.
 */
export const failures = (json) =>
  (parse(json)?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const whole = failed.length === 0 && message ? [{ fullName: '', failureMessages: [message] }] : failed
    return whole.map(({ fullName, failureMessages }) =>
      [name, fullName?.trim(), failureMessages?.[0]?.split('\n')[0]].filter(Boolean).join(': '),
    )
  })

/** @param {Test} test */
const reasonOf = ({ status, meta }) => (status === 'skipped' || status === 'pending' ? meta?.leftOut : undefined)

/** @param {Report['testResults'][number]} file @returns {Count} */
function countFile({ status, assertionResults }) {
  const skipped = assertionResults.filter((test) => reasonOf(test) !== undefined)
  const passed = assertionResults.filter((test) => test.status === 'passed').length
  const failed = assertionResults.length - skipped.length - passed
  return {
    passed,
    failed: failed === 0 && status !== 'passed' ? 1 : failed,
    skipped: skipped.map((test) => `${test.fullName?.trim()}: ${reasonOf(test)}`),
  }
}

/** @type {Count} */
export const NOTHING = { passed: 0, failed: 0, skipped: [] }
/** @type {Count} */
export const PASSED = { ...NOTHING, passed: 1 }
/** @type {Count} */
export const FAILED = { ...NOTHING, failed: 1 }

/**
 * @param {Count} a
 * @param {Count} b
 * @returns {Count}
 */
export const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: [...a.skipped, ...b.skipped],
})

/** @param {Count} count */
export const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`

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
