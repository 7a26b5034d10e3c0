/** The shipped test build, started as a debugger would start it, or so that Node would print credentials. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { install } from '../support/app.ts'
import { ordinaryFolder } from '../support/ordinary-user.ts'
import { systemVariables } from '../support/system.ts'
import { shipped } from './builds.ts'

const TIMEOUT_MS = 60_000

// Code in the app's archive prints the reason, so the test shows that the archive passes Electron's integrity check.
it.each(['--remote-debugging-port=0', ' --remote-debugging-pipe', '--inspect=0', 'NODE_DEBUG=http'])(
  'SECURITY: the shipped build refuses to start with "%s" and prints why',
  async (argument) => {
    const [name = '', value] = argument.trim().split('=')
    const installation = install(shipped().executable)
    onTestFinished(() => installation.remove())
    const folder = ordinaryFolder('data')
    onTestFinished(() => folder.remove())
    const env = {
      ...systemVariables(),
      PATH: process.env['PATH'],
      DISPLAY: process.env['DISPLAY'],
      XAUTHORITY: process.env['XAUTHORITY'],
      HOME: folder.path,
      ...(name.startsWith('-') ? {} : { [name]: value }),
    }
    const args = [`--user-data-dir=${folder.path}`, argument]
    const child = spawn(installation.executable, args, { env, cwd: installation.appFolder, timeout: TIMEOUT_MS })
    onTestFinished(() => void child.kill())
    const [said, code] = await Promise.all([
      text(child.stderr),
      new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject)),
    ])
    expect([code, said]).toEqual([1, expect.stringContaining(`Latchkey doesn't start with ${name}.`)])
    expect(said).not.toMatch(/listening on/i)
  },
)
