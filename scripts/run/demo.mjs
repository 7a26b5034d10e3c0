import { start } from './process.mjs'
import { inProject } from './project.mjs'
import { SetUpError } from './say.mjs'

/**
 * @typedef {object} Demo
 * @property {string} address The address of the service.
 * @property {import('./process.mjs').Variables} env The `LATCHKEY_…` variables that connect the app to it.
 * @property {string} greeting Text to print: the service's address and users.
 * @property {() => Promise<unknown>} stop
 */

/**
 * Starts the built demo service and waits until it accepts requests.
 * @param {readonly string[]} [args] Its switches, such as `--token-lifetime 5`.
 * @returns {Promise<Demo>}
 */
export async function startDemo(args = []) {
  const demo = start(process.execPath, [inProject('out', 'demo', 'demo.mjs'), ...args])
  const ready = await demo.said(LAST_LINE, 15_000)
  if (ready === undefined) {
    const { output } = await demo.stop()
    throw new SetUpError(`The demo service did not start.\n${output.trim()}`)
  }
  return { ...parseGreeting(ready.input), stop: demo.stop }
}

/** The last line of the demo's greeting. It is printed when everything runs. */
const LAST_LINE = /^LATCHKEY_BASE_URL=.*\n/m
const VARIABLE = /^(LATCHKEY_\w+)=(.*)$/

/**
 * Splits the demo's output into the lines that set a variable, and the rest.
 * @param {string} text
 * @returns {Omit<Demo, 'stop'>}
 */
export function parseGreeting(text) {
  const lines = text.split('\n')
  const env = Object.fromEntries(
    lines.map((line) => VARIABLE.exec(line)?.slice(1) ?? []).filter(({ length }) => length),
  )
  const greeting = lines.filter((line) => !VARIABLE.test(line)).join('\n')
  return { address: env['LATCHKEY_BASE_URL'] ?? '', env, greeting: greeting.trimEnd() }
}
