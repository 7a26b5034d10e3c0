import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { run } from '../run/process.mjs'
import { inProject, root } from '../run/project.mjs'

/**
 * Each failed and each skipped test is a line with its name and the reason.
 * @typedef {{ readonly passed: number, readonly failed: readonly string[], readonly skipped: readonly string[] }} Count
 * @typedef {(args: readonly string[], env: import('../run/process.mjs').Variables) => ReturnType<typeof run>} RunNode
 */

/** The projects whose tests need no build and no programs of the system. */
export const QUICK = ['unit', 'renderer', 'isolated']
export const ALL = [...QUICK, 'integration', 'e2e', 'look', 'packaged']
const LIMIT_MS = 40 * 60_000
/** @type {Count} */
export const NOTHING = { passed: 0, failed: [], skipped: [] }

/** @param {readonly Count[]} counts @returns {Count} */
export const total = (counts) => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.flatMap(({ failed }) => failed),
  skipped: counts.flatMap(({ skipped }) => skipped),
})

/** @type {RunNode} */
export const native = (args, env) => run(process.execPath, args, { env, show: true, limit: LIMIT_MS })

/**
 * @param {readonly string[]} projects Of vitest.config.ts.
 * @param {{ name: string, files?: readonly string[], runNode?: RunNode }} options `name`: of the report in `out/test`.
 * @param {import('../run/process.mjs').Variables} [env]
 * @returns {Promise<Count>}
 */
export async function vitest(projects, { name, files: folders = [], runNode = native }, env = {}) {
  const report = inProject('out', 'test', `${name}.json`)
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const wanted = [...projects.map((project) => `--project=${project}`), ...folders]
  const { code } = await runNode([inProject('node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...wanted], env)
  const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  const count = total(files.map(countFile))
  // An error outside the tests, such as a rejection that nobody handles, fails a run, too.
  const isUnnamed = count.failed.length === 0 && (code !== 0 || count.passed === 0)
  return isUnnamed ? { ...count, failed: [`the tests (${name}): the run ended with code ${code}`] } : count
}

/**
 * A skipped test without a reason (`test/support/systems.ts`) counts as failed.
 * @param {{ name: string, status: string, message: string, assertionResults: { fullName: string, status: string,
 *   failureMessages: string[], meta: { leftOut?: string } }[] }} file As Vitest's JSON reporter writes it.
 * @returns {Count}
 */
function countFile({ name, status, message, assertionResults }) {
  const file = path.relative(root, name)
  const others = assertionResults.filter((test) => test.status !== 'passed')
  const skipped = others.filter((test) => test.status !== 'failed' && test.meta.leftOut !== undefined)
  const lines = others
    .filter((test) => !skipped.includes(test))
    .map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0] ?? 'it did not run')}`)
  return {
    passed: assertionResults.length - others.length,
    failed: status === 'failed' && lines.length === 0 ? [`${file}: ${firstLine(message)}`] : lines,
    skipped: skipped.map(({ fullName, meta }) => `${fullName}: ${meta.leftOut}`),
  }
}

const firstLine = (/** @type {string} */ text) => text.split('\n')[0] ?? ''
