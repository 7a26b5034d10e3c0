/** `latchkey.cmd` and its PowerShell script. The tests need Windows, because Wine's PowerShell does nothing. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { until } from '../agent/client.ts'
import { type AgentRig, HOUR, startAgent } from '../agent/rig.ts'
import { ARGUMENTS } from '../support/command-lines.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = path.join(ROOT, 'cli', 'latchkey.cmd')
const run = promisify(execFile)
let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent()
})

/** Runs a line as a person types it at the prompt of cmd.exe. */
const latchkey = (line: string) => run('cmd.exe', ['/d', '/s', '/c', `""${COMMAND}" ${line}"`], options())

const options = () => ({
  env: { ...process.env, LATCHKEY_SOCKET: path.join(rig.folder, 'agent.json') },
  windowsVerbatimArguments: true,
})

test('`latchkey token` prints the access token, and `latchkey exec` gives it to a program', async () => {
  expect((await latchkey('token')).stdout.trimEnd()).toBe('token-1')
  const program = `"${process.execPath}" -p process.env.ACCESS_TOKEN`
  expect((await latchkey(`exec -- ${program}`)).stdout.trimEnd()).toBe('token-1')
})

async function execPrinter(): Promise<string> {
  const print = path.join(rig.folder, 'print.cjs')
  await writeFile(print, 'console.log(JSON.stringify(process.argv.slice(2)))')
  return `exec -- "${process.execPath}" "${print}"`
}

test.each(ARGUMENTS)('`latchkey exec` passes the program’s arguments unchanged: %s', async (line, words) => {
  const job = path.join(rig.folder, 'job.bat')
  await writeFile(job, `@"${COMMAND}" ${await execPrinter()} ${line}\r\n`)
  const { stdout } = await run('cmd.exe', ['/d', '/s', '/c', `"${job}"`], options())
  expect(JSON.parse(stdout)).toEqual(words)
})

test('at the prompt, percent signs arrive unchanged, unless they enclose a variable’s name', async () => {
  const { stdout } = await latchkey(`${await execPrinter()} 100% "%NO_SUCH_VARIABLE%" %OS%`)
  expect(JSON.parse(stdout)).toEqual(['100%', '%NO_SUCH_VARIABLE%', 'Windows_NT'])
})

test('while nobody is signed in, the command exits with 3, or waits for the sign-in with --wait', async () => {
  rig.source.signOut()
  await expect(latchkey('token')).rejects.toMatchObject({ code: 3, stderr: expect.stringMatching(/^latchkey: /) })
  const answer = latchkey('token --wait=10m')
  await until(() => rig.agent.needs.list().some(({ waiting }) => waiting.length > 0))
  rig.source.grant(HOUR)
  expect((await answer).stdout.trimEnd()).toBe('token-2')
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
