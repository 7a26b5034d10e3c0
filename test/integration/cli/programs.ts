/** Runs the command, and other programs that its tests need, each in a clean environment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const CLI = fileURLToPath(new URL('../../../cli/', import.meta.url))
export const LATCHKEY = path.join(CLI, 'latchkey')

/** Quotes a word for `sh`, because the checkout's path may contain any character. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The name of the test runner's process, which calls `latchkey` in these tests. */
export const CALLER = readFileSync('/proc/self/comm', 'utf8').trimEnd()

export const SHELLS = [
  { name: 'dash', words: ['dash'] },
  { name: 'bash', words: ['bash', '--posix'] },
  { name: 'busybox', words: ['busybox', 'sh'] },
] as const
export type Shell = (typeof SHELLS)[number]

/** The system's folders only, without those of the user who runs the tests. */
export const PATH = '/usr/bin:/bin'

/** If the program is missing, the error names its Debian package. */
export function requireProgram(program: string, debianPackage = program): string {
  const found = PATH.split(':')
    .map((folder) => path.join(folder, program))
    .find((file) => existsSync(file))
  if (found === undefined) throw new Error(`These tests need ${program}: apt-get install ${debianPackage}`)
  return found
}

export type Run = Awaited<ReturnType<typeof run>>

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

/** Runs a program to its end, with only this environment. */
export async function run(words: readonly string[], { input = '', ...options }: RunOptions = {}) {
  const [program = '', ...args] = words
  const child = spawn(program, args, { env: {}, ...options, timeout: 150_000 })
  // The program may have ended before it read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { pid: child.pid, code: code as number | null, stdout, stderr }
}

export function newFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-cli-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export type Latchkey = ReturnType<typeof latchkeyIn>

/** The command in this shell, as a tool runs it on the desktop. */
export function latchkeyIn(
  { words: [shell, ...options] }: Shell,
  desktop: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
) {
  const words = [requireProgram(shell), ...options, LATCHKEY]
  return (args: readonly string[], { env = {}, input = '' }: Omit<RunOptions, 'cwd'> = {}) =>
    run([...words, ...args], { env: { ...desktop.env, ...env }, input, cwd: desktop.folder })
}
