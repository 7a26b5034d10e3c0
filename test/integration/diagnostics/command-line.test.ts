/** How `latchkey doctor` finds the app, in each shell. A program that prints its arguments stands in for the app. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LATCHKEY, newFolder, PATH, requireProgram, run, SHELLS } from '../cli/programs.ts'

let folder: string
let remove: () => void
beforeEach(() => {
  const made = newFolder()
  folder = made.folder
  remove = made.remove
})
afterEach(() => remove())

const at = (...parts: string[]) => path.join(folder, ...parts)
function place(name: string, content: string): string {
  mkdirSync(path.dirname(at(name)), { recursive: true })
  writeFileSync(at(name), content)
  chmodSync(at(name), 0o755)
  return at(name)
}
const app = (name: string, code = 0) => place(name, `#!/bin/sh\necho "${name} $*"\nexit ${code}\n`)
function command(name: string): string {
  mkdirSync(path.dirname(at(name)), { recursive: true })
  copyFileSync(LATCHKEY, at(name))
  return at(name)
}

describe.each(SHELLS)('$name', ({ words: [shell, ...options] }) => {
  const latchkey = (file: string, env: Readonly<Record<string, string>>, args: readonly string[]) =>
    run([requireProgram(shell), ...options, file, ...args], { env: { PATH, HOME: folder, ...env }, cwd: folder })
  const doctor = (file: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) =>
    latchkey(file, env, ['doctor', ...args])

  it('the command finds the app on the PATH', async () => {
    app('programs/latchkey-desktop')
    const { stdout } = await doctor(command('bin/latchkey'), { PATH: `${PATH}:${at('programs')}` })
    expect(stdout).toMatch(/^programs\/latchkey-desktop --doctor /)
  })

  it('the command looks at LATCHKEY_APP first, and passes on the app’s exit code', async () => {
    app('bin/latchkey-desktop')
    const other = app('other', 1)
    const { code, stdout } = await doctor(command('bin/latchkey'), { LATCHKEY_APP: other })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^other --doctor /)])
  })

  it.each([{}, { DISPLAY: ':0' }])(
    'the command starts the app headless, whatever display there is: %j',
    async (display) => {
      const { stdout } = await doctor(LATCHKEY, { LATCHKEY_APP: app('app'), ...display })
      expect(stdout).toBe('app --doctor --log-level=3 --ozone-platform=headless\n')
    },
  )

  it.each([
    [['policy', 'check'], '--check-policy'],
    [['policy', 'check', '--installed'], '--check-policy'],
    [['policy', 'check', 'my policy=1.json'], '--check-policy=my policy=1.json'],
    [['doctor', '--log'], '--doctor-log'],
  ])('the app prints what the command asks for: %j', async (args, started) => {
    const { stdout } = await latchkey(LATCHKEY, { LATCHKEY_APP: app('app') }, args)
    expect(stdout).toBe(`app ${started} --log-level=3 --ozone-platform=headless\n`)
  })

  it.each([
    ['policy'],
    ['policy', 'checks'],
    ['policy', '--installed'],
    ['policy', 'check', '--all'],
    ['policy', 'check', 'a', 'b'],
    ['policy', 'check', 'a', '--installed'],
    ['policy', 'check', '--installed', 'a'],
  ])('latchkey %s %s %s %s is refused', async (...args) => {
    const { code, stderr } = await latchkey(LATCHKEY, { LATCHKEY_APP: app('app') }, args)
    expect([code, stderr]).toEqual([1, expect.stringContaining('see latchkey --help')])
  })

  it('if the app isn’t found, the command says what to do', async () => {
    const { code, stdout, stderr } = await doctor(command('bin/latchkey'))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      "latchkey: Latchkey can't be found: install it, or set LATCHKEY_APP to its program, latchkey-desktop\n",
    )
    expect(await doctor(LATCHKEY, { LATCHKEY_APP: folder })).toMatchObject({ code: 2, stdout: '' })
  })

  it('SECURITY: the command never runs a program from the current folder', async () => {
    app('latchkey-desktop')
    command('latchkey')
    expect(await doctor('latchkey')).toMatchObject({ code: 2, stdout: '' })
  })
})
