import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

/**
 * @typedef {NodeJS.Dict<string>} Variables Added to this process's environment; `undefined` removes a variable.
 * @typedef {{ env?: Variables, cwd?: string, show?: boolean, limit?: number }} Options `show` prints the output instead
 *   of capturing it. After `limit` milliseconds, the process is killed.
 * @typedef {{ code: number, output: string }} Ended The code is 127 if the program couldn't be started, and 128 + n after
 *   signal n. The output is what it printed, or why it didn't start.
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill()
})

/**
 * The program ends with this process at the latest. Never rejects.
 * @param {string} command @param {readonly string[]} args @param {Options} [options] @returns {Promise<Ended>}
 */
export function run(command, args, { env = {}, cwd = root, show = false, limit } = {}) {
  const output = show ? 'inherit' : 'pipe'
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    windowsHide: true,
    timeout: limit,
    killSignal: 'SIGKILL',
  })
  running.add(child)
  let text = ''
  const add = (/** @type {string} */ piece) => {
    text += piece
  }
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', add)
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: 127, output: message }))
    child.once('close', (code, name) => {
      running.delete(child)
      resolve({ code: code ?? 128 + (name ? constants.signals[name] : 0), output: text })
    })
  })
}
