import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CLI, LATCHKEY, PATH, requireProgram, run, SHELLS } from './programs.ts'

const MAN_PAGE = path.join(CLI, 'latchkey.1')
const clean = { code: 0, stdout: '', stderr: '' }
const read = (file: string) => readFileSync(file, 'utf8')
const { version } = JSON.parse(read(path.join(CLI, '../package.json')))

it('shellcheck accepts the script as POSIX sh', async () => {
  const shellcheck = requireProgram('shellcheck')
  expect(await run([shellcheck, '--shell=sh', LATCHKEY])).toMatchObject(clean)
})

it.each(SHELLS)('$name can parse the script', async ({ words: [shell, ...options] }) => {
  expect(await run([requireProgram(shell), ...options, '-n', LATCHKEY])).toMatchObject(clean)
})

it('mandoc and groff find no problem in the man page', async () => {
  expect(await run([requireProgram('mandoc'), '-T', 'lint', MAN_PAGE])).toMatchObject(clean)
  const groff = [requireProgram('groff', 'groff-base'), '-man', '-ww', '-b', '-z', '-Tutf8', MAN_PAGE]
  expect(await run(groff, { env: { PATH } })).toMatchObject(clean)
})

it('the command, the script for Windows and the man page have the package’s version', async () => {
  expect(await run([LATCHKEY, '--version'], { env: { PATH } })).toMatchObject({
    code: 0,
    stdout: `latchkey ${version}\n`,
  })
  expect(read(path.join(CLI, 'latchkey-windows.ps1'))).toContain(`$Version = '${version}'`)
  expect(read(MAN_PAGE)).toContain(`"Latchkey ${version}"`)
})
