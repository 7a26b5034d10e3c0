/** How the command finds the app and the libraries. A program that prints its arguments stands in for the app. */

import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { LATCHKEY, PATH, requireProgram, run, SHELLS } from './programs.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const inside = (name: string) => path.join(folder, name)
const put = async (name: string, text = `#!/bin/sh\necho "ran ${name} $*"\n`) => {
  await mkdir(path.dirname(inside(name)), { recursive: true })
  await writeFile(inside(name), text, { mode: 0o755 })
}
const command = (place: string) => put(place, readFileSync(LATCHKEY, 'utf8'))
const call = (place: string, args: readonly string[], env = {}, shell: readonly string[] = []) =>
  run([...shell, inside(place), ...args], { env: { PATH, HOME: folder, ...env }, cwd: folder })

describe.each(SHELLS)('in $name', ({ words: [program, ...options] }) => {
  const latchkey = (args: readonly string[], env = {}) =>
    call('bin/latchkey', args, env, [requireProgram(program), ...options])
  beforeEach(() => command('bin/latchkey'))

  it('the command finds the app by LATCHKEY_APP or else on the PATH, and passes on the app’s exit code', async () => {
    await put('programs/latchkey-desktop')
    const env = { PATH: `${PATH}:${inside('programs')}` }
    expect((await latchkey(['doctor'], env)).stdout).toMatch(/^ran programs\/latchkey-desktop --doctor /)
    await put('-x', '#!/bin/sh\necho other\nexit 1\n')
    expect(await latchkey(['doctor'], { ...env, LATCHKEY_APP: '-x' })).toMatchObject({ code: 1, stdout: 'other\n' })
  })

  it('`doctor` and `policy check` start the app headless, and refuse other words', async () => {
    await put('app')
    const env = { LATCHKEY_APP: inside('app'), DISPLAY: ':0' }
    for (const [args, started] of [
      [['doctor'], '--doctor'],
      [['doctor', '--log'], '--doctor-log'],
      [['policy', 'check', '--installed'], '--check-policy'],
      [['policy', 'check', 'my policy=1.json'], '--check-policy=my policy=1.json'],
    ] as const) {
      const { stdout } = await latchkey(args, env)
      expect(stdout).toBe(`ran app ${started} --log-level=3 --ozone-platform=headless\n`)
    }
    const stderr = expect.stringContaining('see latchkey --help')
    for (const args of ['', 'checks', 'check --all', 'check a b', 'check a --installed', 'check --installed a']) {
      expect(await latchkey(['policy', ...args.split(' ')], env)).toMatchObject({ code: 1, stderr })
    }
  })

  it('SECURITY: if the app isn’t found, the command says what to do, and runs nothing in the current folder', async () => {
    await put('latchkey-desktop')
    await command('latchkey')
    const sentence =
      "latchkey: Latchkey can't be found: install it, or set LATCHKEY_APP to its program, latchkey-desktop\n"
    const shell = [requireProgram(program), ...options]
    const answer = await run([...shell, 'latchkey', 'doctor'], { env: { PATH, HOME: folder }, cwd: folder })
    expect(answer).toMatchObject({ code: 2, stdout: '', stderr: sentence })
    expect(await latchkey(['doctor'], { LATCHKEY_APP: folder })).toMatchObject({ code: 2, stdout: '' })
  })
})

it.each([
  ['shared/latchkey/cli/latchkey', 'shared/latchkey-desktop'],
  ['shared/latchkey/cli/latchkey', 'shared/MacOS/Latchkey'],
  ['shared/bin/latchkey', 'latchkey-desktop'],
  ['shared/latchkey/cli/latchkey', 'shared/opt/Latchkey/resources/clients/latchkey-desktop-0.1.0.tgz'],
])('SECURITY: %s uses no file in a folder that others can write to: %s', async (place, planted) => {
  await command(place)
  await put(planted)
  for (const verb of ['doctor', 'open', 'clients']) {
    expect(await call(place, [verb], { DISPLAY: ':0' })).toMatchObject({ code: 2, stdout: '' })
  }
})

it.each([
  ['an installation', 'app/resources/bin/latchkey', 'app/latchkey-desktop', 'app/resources/clients'],
  ['a Mac', 'A/Contents/Resources/bin/latchkey', 'A/Contents/MacOS/Latchkey', 'A/Contents/Resources/clients'],
  ['a checkout', 'a checkout/cli/latchkey', 'a checkout/out/latchkey-desktop', 'a checkout/out/clients'],
])(
  'in %s, the command finds the app and the libraries, whatever CDPATH is, and through a link',
  async (_, place, app, clients) => {
    await command(place)
    await put(app)
    await put(`${clients}/latchkey-desktop-0.1.0.tgz`)
    await put(`elsewhere/${clients}/latchkey-desktop-0.1.0.tgz`)
    await put(`elsewhere/${place}`, '')
    const env = { CDPATH: inside('elsewhere') }
    expect(await call(place, ['doctor'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ran ${app} `),
    })
    await symlink(place, inside('link'))
    for (const words of [[inside(place)], ['sh', place], [`./${place}`], [inside('link')]]) {
      for (const [name, file] of [
        ['', ''],
        ['python', '/latchkey_desktop-0.1.0-py3-none-any.whl'],
        ['r', '/latchkeydesktop_0.1.0.tar.gz'],
        ['node', '/latchkey-desktop-0.1.0.tgz'],
      ] as const) {
        const { stdout } = await run([...words, 'clients', ...(name && [name])], { env: { PATH, ...env }, cwd: folder })
        expect(stdout).toBe(`${inside(clients)}${file}\n`)
      }
    }
  },
)
