/** The installers change the computer, so release.yml runs these tests on one that is thrown away. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { UNINSTALLER } from '../../main/updates/plan.ts'
import { manifest, packages } from '../packages/packages.ts'

const { LOCALAPPDATA = '', ProgramFiles = '' } = process.env
const run = promisify(execFile)

const packaged = (ending: string) =>
  packages(ending).find(({ arch }) => arch === process.arch)?.file ?? expect.unreachable(`there is no ${ending}`)

const command = (folder: string) => path.join(folder, 'resources', 'bin', 'latchkey.cmd')
/** What the installed command prints, even if it fails: `latchkey doctor` fails here, because there is no service. */
async function printed(folder: string, words: string): Promise<string> {
  const args = ['/d', '/s', '/c', `""${command(folder)}" ${words}"`]
  const ended = run('cmd.exe', args, { windowsVerbatimArguments: true })
  const { stdout } = await ended.catch((error: { readonly stdout: string }) => error)
  return stdout.trim()
}

async function expectCommandToWork(folder: string): Promise<void> {
  expect(await printed(folder, '--version')).toBe(`latchkey ${manifest.version}`)
  expect(await printed(folder, 'doctor')).toMatch(/^Latchkey doctor, /)
  const library = await printed(folder, 'clients python')
  expect(path.dirname(library)).toBe(path.join(folder, 'resources', 'clients'))
  expect(existsSync(library)).toBe(true)
}

const userPath = async () => (await run('reg.exe', ['query', 'HKCU\\Environment', '/v', 'Path'])).stdout

test('the .exe installs the app for one user and puts the command on the PATH; uninstalling undoes both', async () => {
  const folder = path.join(LOCALAPPDATA, 'Programs', 'Latchkey')
  const bin = path.dirname(command(folder))
  await run(packaged('.exe'), ['/S', '/currentuser'])
  expect(existsSync(path.join(folder, 'Latchkey.exe'))).toBe(true)
  expect(existsSync(path.join(folder, UNINSTALLER))).toBe(true)
  expect(await userPath()).toContain(bin)
  await expectCommandToWork(folder)
  // An NSIS uninstaller starts a copy of itself and ends. With `_?=` and the unquoted folder as its last argument, it
  // stays until the app is uninstalled.
  const options = { windowsVerbatimArguments: true }
  await run(path.join(folder, UNINSTALLER), ['/S', '/currentuser', `_?=${folder}`], options)
  expect(existsSync(path.join(folder, 'Latchkey.exe'))).toBe(false)
  expect(await userPath()).not.toContain(bin)
})

test('the .msi installs for all users and adds no uninstaller; msiexec /x keeps policy.json', async () => {
  const folder = path.join(ProgramFiles, 'Latchkey')
  const policy = path.join(folder, 'policy.json')
  await run('msiexec.exe', ['/i', packaged('.msi'), '/qn', '/norestart'])
  expect(existsSync(path.join(folder, 'Latchkey.exe'))).toBe(true)
  expect(existsSync(path.join(folder, UNINSTALLER))).toBe(false)
  await expectCommandToWork(folder)
  await writeFile(policy, '{}')
  await run('msiexec.exe', ['/x', packaged('.msi'), '/qn', '/norestart'])
  expect(existsSync(path.join(folder, 'Latchkey.exe'))).toBe(false)
  expect(existsSync(policy)).toBe(true)
})
