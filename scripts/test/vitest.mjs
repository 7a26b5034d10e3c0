import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'

/** @typedef {import('./count.mjs').Count} Count */

const LIMIT_MS = 40 * 60_000

/** @typedef {(args: readonly string[], env: import('../run/process.mjs').Variables) => ReturnType<typeof run>} RunNode */

/** @type {RunNode} */
export const native = (args, env) => run(process.execPath, args, { env, show: true, limit: LIMIT_MS })

/**
 * Runs projects of vitest.config.ts and counts their tests. A project without tests counts as failed, and so does a run
 * that ended without a count.
 * @param {readonly string[]} projects
 * @param {{ name: string, files?: readonly string[], runNode?: RunNode }} options `name`: of the run, in the output.
 * @param {import('../run/process.mjs').Variables} [env]
 * @returns {Promise<Count>}
 */
export async function vitest(projects, { name, files = [], runNode = native }, env = {}) {
  const target = inProject('out', 'test', `${name}.json`)
  mkdirSync(inProject('out', 'test'), { recursive: true })
  rmSync(target, { force: true })
  const program = inProject('node_modules', 'vitest', 'vitest.mjs')
  const args = [program, 'run', ...projects.map((project) => `--project=${project}`), ...files]
  const { code, timedOut } = await runNode(args, { ...env, LATCHKEY_TEST_COUNT: target })
  return judge(
    read(target),
    files.length > 0 ? [] : projects,
    timedOut ? 'took too long' : `ended with code ${code}`,
    code,
  )
}

/**
 * @param {(Count & { projects: readonly string[] }) | undefined} found
 * @param {readonly string[]} wanted The projects that must have tests.
 * @param {string} how
 * @param {number} code
 * @returns {Count}
 */
export function judge(found, wanted, how, code) {
  const { passed, failed, skipped, projects } = found ?? { passed: 0, failed: [], skipped: [], projects: wanted }
  const empty = wanted.filter((each) => !projects.includes(each)).map((each) => `${each}: no test ran`)
  const broken =
    (code !== 0 && failed.length + empty.length === 0) || found === undefined ? [`the tests: the run ${how}`] : []
  return { passed, failed: [...failed, ...empty, ...broken], skipped }
}

/** @param {string} file */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
