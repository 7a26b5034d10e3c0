/** `latchkey.cmd` and the PowerShell script that it starts, on a real Windows: only Windows has PowerShell. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentRig, startAgent } from '../agent/rig.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = path.join(ROOT, 'cli', 'latchkey.cmd')
const run = promisify(execFile)
/** The duration of `latchkey token` calls, with the first start of PowerShell listed separately. */
const CALLS = 6

let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent()
})
afterEach(() => rig.end())

/** As a person types it at the prompt of cmd.exe. */
const latchkey = (line: string) =>
  run('cmd.exe', ['/d', '/s', '/c', `""${COMMAND}" ${line}"`], {
    env: { ...process.env, LATCHKEY_SOCKET: path.join(rig.folder, 'agent.json') },
    windowsVerbatimArguments: true,
  })

test('token prints the access token, at every call', async ({ annotate }) => {
  const timesMs: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now()
    expect((await latchkey('token')).stdout.trimEnd()).toBe('token-1')
    timesMs.push(Math.round(performance.now() - start))
  }
  // Each call starts PowerShell. The release's log records the duration; no test judges it.
  await annotate(`latchkey token: ${timesMs.join(', ')} ms`)
})

test('exec gives the token to a program, whose arguments arrive whole', async () => {
  const program = `"${process.execPath}" -p "process.env.ACCESS_TOKEN + process.argv.slice(1).join('|')" -- "a b" c:d`
  expect((await latchkey(`exec -- ${program}`)).stdout.trimEnd()).toBe('token-1a b|c:d')
})

test('signed out, it says so with its exit code', async () => {
  rig.source.signOut()
  await expect(latchkey('token')).rejects.toMatchObject({ code: 3, stderr: expect.stringMatching(/^latchkey: /) })
})

test('path.ps1 adds a folder to the user’s PATH once, and removes it', async () => {
  const script = path.join(ROOT, 'packaging', 'path.ps1')
  const change = (action: string) =>
    run('powershell.exe', ['-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', script, action, 'User', rig.folder])
  const count = async () => {
    const { stdout } = await run('reg.exe', ['query', 'HKCU\\Environment', '/v', 'Path'])
    return stdout.split(rig.folder).length - 1
  }
  await change('Add')
  await change('Add')
  expect(await count()).toBe(1)
  await change('Remove')
  expect(await count()).toBe(0)
})
