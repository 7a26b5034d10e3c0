/** `latchkey.cmd` under Wine's cmd.exe. A program that prints its arguments stands in for PowerShell. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, openWine, type Wine } from '../../scripts/windows/wine.mjs'
import { LATCHKEY } from '../integration/cli/programs.ts'
import { ARGUMENTS } from '../support/command-lines.ts'

const BIN = 'C:\\Program Files\\Latchkey\\resources\\bin'

let wine: Wine
const onDrive = (name: string) => path.join(wine.drive, ...name.split('\\').slice(1))

beforeAll(async () => {
  wine = await openWine()
  const powershell = onDrive('C:\\windows\\system32\\WindowsPowerShell\\v1.0\\powershell.exe')
  await mkdir(path.dirname(powershell), { recursive: true })
  // Wine's own powershell.exe does nothing, so the test replaces it.
  await rm(powershell, { force: true })
  await compile(fileURLToPath(new URL('recorder.c', import.meta.url)), powershell)
  await mkdir(onDrive(BIN), { recursive: true })
  await copyFile(`${LATCHKEY}.cmd`, onDrive(`${BIN}\\latchkey.cmd`))
})
afterAll(() => wine?.stop())

async function recorded(line: string) {
  await writeFile(onDrive('C:\\job.bat'), `@chcp 65001 >nul\r\n@${line}\r\n`)
  const { output } = await wine.run(['cmd', '/d', '/c', 'C:\\job.bat'])
  return [...output.matchAll(/^\[(.*)\]\r?$/gm)].map(([, arg]) => arg)
}

const COMMAND = `${BIN}\\latchkey.cmd`
const START = ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File']
const STARTED = [...START, `${BIN}\\latchkey-windows.ps1`]

test('latchkey.cmd runs its script in PowerShell without a profile, and returns its exit code', async () => {
  expect(await recorded(`call "${COMMAND}" status`)).toEqual([...STARTED, 'status'])
  expect(await wine.run(['cmd', '/d', '/c', COMMAND, 'status'])).toMatchObject({ code: 7 })
})

// Unlike Windows' cmd.exe, Wine's looks for variables in the value of %*, so lines with percent signs are left out.
// test/powershell runs all lines on Windows.
const WITHOUT_PERCENT = ARGUMENTS.filter(([line]) => !line.includes('%'))

test.each(WITHOUT_PERCENT)('PowerShell gets the arguments unchanged: %s', async (line, words) => {
  const args = await recorded(`"${COMMAND}" exec -- tool ${line}`)
  expect(args).toEqual([...STARTED, 'exec', '--', 'tool', ...words])
})
