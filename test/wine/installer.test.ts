import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { run } from '../../scripts/run/process.mjs'
import { inProject } from '../../scripts/run/project.mjs'
import { compile, openWine, type Wine } from '../../scripts/windows/wine.mjs'

const UNINSTALLER = 'Uninstall Latchkey.exe'
const TEMPLATE = inProject('node_modules', 'app-builder-lib', 'templates', 'nsis', 'uninstaller.nsh')

let wine: Wine
let folder: string
beforeAll(async () => {
  wine = await openWine()
  folder = path.join(wine.drive, 'Latchkey')
  const powershell = path.join(wine.drive, 'windows/system32/WindowsPowerShell/v1.0/powershell.exe')
  await mkdir(path.dirname(powershell), { recursive: true })
  await rm(powershell, { force: true })
  await compile(fileURLToPath(new URL('recorder.c', import.meta.url)), powershell)

  const functions = path.join(wine.drive, 'functions.nsh')
  const wanted = ['un.atomicRMDir', 'un.restoreFiles'].map((name) =>
    new RegExp(`^Function ${name.replace('.', '\\.')}\\n.*?^FunctionEnd$`, 'ms').exec(readFileSync(TEMPLATE, 'utf8')),
  )
  await writeFile(functions, wanted.map((match) => match?.[0] ?? '').join('\n'))
  const content = path.join(wine.drive, 'content')
  await mkdir(path.join(content, 'resources', 'bin'), { recursive: true })
  await writeFile(path.join(content, 'Latchkey.exe'), 'the program')
  await writeFile(path.join(content, 'resources', 'bin', 'latchkey.cmd'), 'the command')
  const defines = {
    OUTPUT: path.join(wine.drive, 'latchkey-test.exe'),
    FUNCTIONS: functions,
    MACROS: inProject('packaging', 'installer.nsh'),
    CONTENT: content,
  }
  const made = await run('makensis', [
    '-WX',
    ...Object.entries(defines).map(([name, value]) => `-D${name}=${value}`),
    fileURLToPath(new URL('installer.nsi', import.meta.url)),
  ])
  if (made.code !== 0) throw new Error(made.output)
})
afterAll(() => wine?.stop())

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(path.join(wine.drive, 'recorded.txt'), { force: true })
  expect(await wine.run(['C:\\latchkey-test.exe', '/S'])).toMatchObject({ code: 0 })
})

/** Runs a copy of the uninstaller, as electron-builder's installer does: a copy can remove the original, too. */
async function uninstall(...args: string[]): Promise<void> {
  await copyFile(path.join(folder, UNINSTALLER), path.join(wine.drive, 'uninstall.exe'))
  expect(await wine.run(['C:\\uninstall.exe', '/S', ...args, '_?=C:\\Latchkey'])).toMatchObject({ code: 0 })
}

const files = () => readdirSync(folder).sort()
/** The arguments of each call to path.ps1: action, scope and folder. */
const changes = () =>
  [
    ...readFileSync(path.join(wine.drive, 'recorded.txt'), 'utf8').matchAll(
      /path\.ps1\]\s*\[(.*)\]\s*\[(.*)\]\s*\[(.*)\]/g,
    ),
  ].map(([, ...words]) => words.join(' '))
const BIN = 'C:\\Latchkey\\resources\\bin'

const signedOut = () =>
  readFileSync(path.join(wine.drive, 'recorded.txt'), 'utf8').match(
    /\\latchkey-windows\.ps1\]\s*\[sign-out\]\s*\[--all\]/g,
  )?.length ?? 0

test('installing puts the files in place and the command on the PATH of the machine or of one user', async () => {
  expect(files()).toEqual(['Latchkey.exe', UNINSTALLER, 'resources'])
  expect(await wine.run(['C:\\latchkey-test.exe', '/S', '/currentuser'])).toMatchObject({ code: 0 })
  expect(changes()).toEqual([`Add Machine ${BIN}`, `Add User ${BIN}`])
})

test('an update removes the old files, and leaves the policy, the PATH and the sessions', async () => {
  await writeFile(path.join(folder, 'policy.json'), '{}')
  await uninstall('--updated')
  expect(files()).toEqual(['policy.json'])
  expect(readFileSync(path.join(folder, 'policy.json'), 'utf8')).toBe('{}')
  expect([changes(), signedOut()]).toEqual([[`Add Machine ${BIN}`], 0])
})

test('uninstalling keeps the policy, takes the command off the PATH, and ends the sessions at the service', async () => {
  await writeFile(path.join(folder, 'policy.json'), '{}')
  await uninstall()
  expect(files()).toEqual(['policy.json'])
  expect([changes(), signedOut()]).toEqual([[`Add Machine ${BIN}`, `Remove Machine ${BIN}`], 1])
})

test('without a policy, uninstalling removes the folder, and waits at most ten seconds for the sessions to end', async () => {
  await writeFile(path.join(wine.drive, 'hang'), '')
  const begun = performance.now()
  await uninstall()
  const took = performance.now() - begun
  await rm(path.join(wine.drive, 'hang'))
  expect(signedOut()).toBe(1)
  expect(existsSync(folder)).toBe(false)
  expect(took).toBeGreaterThan(9_000)
  // Without the uninstaller's limit, the command would run for a minute.
  expect(took).toBeLessThan(50_000)
})
