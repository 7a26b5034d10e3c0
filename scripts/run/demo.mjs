import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { SetUpError } from './command.mjs'
import { inProject } from './project.mjs'

/**
 * Starts the built demo service and waits until it accepts requests.
 * @param {readonly string[]} [args] Its switches, such as `--token-lifetime 5`.
 * @returns {Promise<{ address: string, env: NodeJS.Dict<string>, greeting: string, stop: () => Promise<unknown> }>}
 *   `env`: the `LATCHKEY_…` variables for the app. `greeting`: its address and users, to print.
 */
export async function startDemo(args = []) {
  const demo = spawn(process.execPath, [inProject('out', 'demo', 'demo.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl+C must not end the demo before the app.
    detached: true,
  })
  const kill = () => void demo.kill()
  process.once('exit', kill)
  const ended = once(demo, 'exit')
  /** @type {NodeJS.Dict<string>} */
  const env = {}
  const greeting = []
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, name, value] = /^(LATCHKEY_\w+)=(.*)$/.exec(line) ?? []
    if (name === undefined) greeting.push(line)
    else env[name] = value
    // The last line, printed when everything runs.
    if (name === 'LATCHKEY_BASE_URL') break
  }
  const stop = () => {
    process.off('exit', kill)
    kill()
    return ended
  }
  const { LATCHKEY_BASE_URL: address } = env
  if (address === undefined) throw new SetUpError('The demo service did not start.')
  return { address, env, greeting: greeting.join('\n').trimEnd(), stop }
}
