import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { names } from '../../../cli/commands.mjs'
import { buildCompletions } from '../../../scripts/build.mjs'
import { newFolder, PATH, requireProgram, run } from './programs.ts'

const built = newFolder()
beforeAll(() => buildCompletions(built.folder))
afterAll(built.remove)
const file = (name: string) => path.join(built.folder, 'completions', name)

/** A folder for a file whose path has a space, which users type with a backslash. */
const space = newFolder()
const report = path.join(space.folder, 'My Reports', 'quarter.csv')
mkdirSync(path.dirname(report))
writeFileSync(report, '')
afterAll(space.remove)
const typed = (part: string) => part.replaceAll(' ', '\\ ')

/** The words typed so far, of which the last isn't finished, and exactly what each shell must offer. */
const CASES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[''], [...names].sort()],
  [['to'], ['token']],
  [
    ['status', '--'],
    ['--connection', '--help', '--json', '--until'],
  ],
  [['token', '--connection', ''], []],
  [['token', '--format', 'oa'], ['oauth']],
  [['header', '--f'], []],
  [
    ['clients', ''],
    ['node', 'python', 'r'],
  ],
  [['exec', '--connection', 'staging', 'mktem'], ['mktemp']],
  [['exec', '--', 'cat', typed(report.slice(0, -3))], [report]],
]

/** The offered words, one a line. fish adds a description to each word. */
const offered = (stdout: string) =>
  [...new Set(stdout.split('\n').map((line) => line.split('\t')[0] ?? ''))].filter((line) => line !== '').sort()

it('shellcheck accepts the completion for bash', async () => {
  const shellcheck = [requireProgram('shellcheck'), '--shell=bash', file('latchkey.bash')]
  expect(await run(shellcheck)).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

const BASH = `
  source "$0"
  complete -p latchkey >/dev/null || exit
  COMP_WORDS=(latchkey "$@") COMP_CWORD=$#
  _latchkey latchkey "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
  printf '%s\\n' "\${COMPREPLY[@]}"`
const FISH = 'source $argv[1]; complete -C "latchkey $argv[2..]"'

describe.each<readonly [string, readonly string[]]>([
  ['bash', ['--norc', '-c', BASH, file('latchkey.bash')]],
  ['fish', ['--no-config', '-c', FISH, file('latchkey.fish')]],
])('in %s', (shell, options) => {
  it.concurrent.each(CASES)('latchkey %j is completed', async (words, expected) => {
    const env = { PATH, HOME: built.folder, TERM: 'dumb' }
    const { code, stdout, stderr } = await run([requireProgram(shell), ...options, ...words], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(offered(stdout)).toEqual(expected)
  })
})

it('zsh can parse its completion', async () => {
  expect(await run([requireProgram('zsh'), '-n', file('_latchkey')])).toMatchObject({ code: 0, stderr: '' })
})
