/** `latchkey.cmd` under Wine's cmd.exe. A program that prints its arguments replaces PowerShell. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, openWine, type Wine } from '../../scripts/windows/wine.mjs'
import { LATCHKEY } from '../integration/cli/programs.ts'

const BIN = 'C:\\Program Files\\Latchkey\\resources\\bin'

let wine: Wine
const onDrive = (name: string) => path.join(wine.drive, ...name.split('\\').slice(1))

beforeAll(async () => {
  wine = await openWine()
  const powershell = onDrive('C:\\windows\\system32\\WindowsPowerShell\\v1.0\\powershell.exe')
  await mkdir(path.dirname(powershell), { recursive: true })
  // Wine's own is empty.
  await rm(powershell, { force: true })
  await compile(fileURLToPath(new URL('recorder.c', import.meta.url)), powershell)
  await mkdir(onDrive(BIN), { recursive: true })
  await copyFile(`${LATCHKEY}.cmd`, onDrive(`${BIN}\\latchkey.cmd`))
})
afterAll(() => wine?.stop())

/** The arguments that PowerShell gets from this line in a batch file. */
async function recorded(line: string) {
  await writeFile(onDrive('C:\\job.bat'), `@chcp 65001 >nul\r\n@call "${BIN}\\latchkey.cmd" ${line}\r\n`)
  const { output } = await wine.run(['cmd', '/d', '/c', 'C:\\job.bat'])
  return { args: [...output.matchAll(/^\[(.*)\]\r?$/gm)].map(([, arg]) => arg) }
}

const START = ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File']

test('PowerShell runs the script next to it, with no profile, and its exit code is the command’s', async () => {
  const { args } = await recorded('status')
  expect(args).toEqual([...START, `${BIN}\\latchkey-windows.ps1`, 'status'])
  expect(await wine.run(['cmd', '/d', '/c', `${BIN}\\latchkey.cmd`, 'status'])).toMatchObject({ code: 7 })
})

test.each([
  ['token --min-validity 60', ['token', '--min-validity', '60']],
  ['exec -- python "my job.py" --rows=5', ['exec', '--', 'python', 'my job.py', '--rows=5']],
  ['exec -- tool "a & b" "c | d" "e > f" "(g)"', ['exec', '--', 'tool', 'a & b', 'c | d', 'e > f', '(g)']],
  [
    'exec -- tool --url:https://data.example.com/?a=1 "50^"',
    ['exec', '--', 'tool', '--url:https://data.example.com/?a=1', '50^'],
  ],
  ['exec -- tool "" "ends with \\\\" "say \\"hi\\""', ['exec', '--', 'tool', '', 'ends with \\', 'say "hi"']],
  ['exec -- tool C:\\data\\*.csv name:value!', ['exec', '--', 'tool', 'C:\\data\\*.csv', 'name:value!']],
])('the arguments arrive whole: %s', async (line, words) => {
  const { args } = await recorded(line)
  expect(args.slice(START.length + 1)).toEqual(words)
})
