import path from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { buildCompletions } from '../../../scripts/build.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { CLI, LATCHKEY, PATH, requireProgram, run, SHELLS } from './programs.ts'

const MAN_PAGE = path.join(CLI, 'latchkey.1')
const clean = { code: 0, stdout: '', stderr: '' }

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

it('`latchkey --version` prints the package’s version', async () => {
  const stdout = `latchkey ${packageJson.version}\n`
  expect(await run([LATCHKEY, '--version'], { env: { PATH } })).toMatchObject({ ...clean, stdout })
})

const BASH = `
  source "$0"
  COMP_WORDS=(latchkey "$@") COMP_CWORD=$#
  _latchkey latchkey "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
  printf '%s\\n' "\${COMPREPLY[@]}"`

it('the completions are valid in their shells, and complete commands, options and values', async () => {
  const folder = temporaryFolder()
  await buildCompletions(folder)
  const file = (name: string) => path.join(folder, 'completions', name)
  expect(await run([requireProgram('shellcheck'), '--shell=bash', file('latchkey.bash')])).toMatchObject(clean)
  expect(await run([requireProgram('zsh'), '-n', file('_latchkey')])).toMatchObject(clean)
  const fish = [
    'fish',
    '--no-config',
    '-c',
    'source $argv[1]; complete -C "latchkey $argv[2..]"',
    file('latchkey.fish'),
  ]
  const bash = ['bash', '--norc', '-c', BASH, file('latchkey.bash')]
  for (const [typed, offered] of [
    ['to', ['token']],
    ['status --', ['--connection', '--help', '--json', '--until']],
    ['token --format oa', ['oauth']],
    ['exec --connection staging mktem', ['mktemp']],
  ] as const) {
    for (const words of [bash, fish]) {
      const env = { PATH, HOME: folder, TERM: 'dumb' }
      const { stdout } = await run([...words, ...typed.split(' ')], { env })
      // fish adds a description to each word, and bash may offer a program twice.
      const lines = new Set(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')[0]),
      )
      expect([words[0], typed, [...lines].sort()]).toEqual([words[0], typed, offered])
    }
  }
})
