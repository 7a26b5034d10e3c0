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

/** zsh completes only at a terminal, so the test gives it one and records each match before it is shown. */
const ZSH = `
  folder=$0 line="latchkey \${(j: :)@}"
  print -r -- '
    compadd() {
      if [[ " \${(j: :)@[1,(i)(-|--)]} " == *" -"[OAD]" "* ]]; then builtin compadd "$@"; return; fi
      local -a matches
      builtin compadd -A matches "$@"
      print -rl -- $matches >>$HOME/matches
      builtin compadd "$@"
    }
    fpath=($1 $fpath)
    autoload -Uz compinit
    compinit -u -d $HOME/dump
    note() { zle list-choices; exit }
    zle -N note
    bindkey "^T" note
  ' >$HOME/setup
  : >$HOME/matches
  zmodload zsh/zpty
  zpty terminal zsh -f -i
  zpty -w terminal ". $HOME/setup \${(q)folder}"
  zpty -w -n terminal "$line"$'\\C-t'
  while zpty -r terminal answer; do :; done
  print -r -- "$(<$HOME/matches)"`

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
  ['zsh', ['-f', '-c', ZSH, path.dirname(file('_latchkey'))]],
])('in %s', (shell, options) => {
  it.concurrent.each(CASES)('latchkey %j is completed', async (words, expected) => {
    const { folder, remove } = newFolder()
    const env = { PATH, HOME: folder, TERM: 'dumb' }
    const { code, stdout, stderr } = await run([requireProgram(shell), ...options, ...words], { env })
    remove()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // zsh lists files without their folder.
    expect(offered(stdout)).toEqual(shell === 'zsh' ? expected.map((one) => path.basename(one)) : expected)
  })
})
