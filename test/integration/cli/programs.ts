/** Runs the command, and other programs that its tests need, each in a clean environment. */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const CLI = fileURLToPath(new URL('../../../cli/', import.meta.url))
export const LATCHKEY = path.join(CLI, 'latchkey')

/** Quotes a word for `sh`, because the checkout's path may contain any character. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The name of the test runner's process, which calls `latchkey` in these tests. */
export const CALLER = readFileSync('/proc/self/comm', 'utf8').trimEnd()

/** The shells that run the command, each with its Debian package. */
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
    .find(isProgram)
  if (found === undefined) throw new Error(`These tests need ${program}: apt-get install ${debianPackage}`)
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Run {
  readonly pid: number | undefined
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

/** Runs a program to its end, with only this environment. */
export function run(words: readonly string[], { env = {}, input = '', cwd }: RunOptions = {}): Promise<Run> {
  const [program = '', ...args] = words
  const child = spawn(program, args, { env, ...(cwd === undefined ? {} : { cwd }), timeout: 50_000 })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // The program may have ended before it read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ pid: child.pid, code, stdout, stderr }))
  })
}

/** A private folder, which `remove` deletes. */
export function newFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-cli-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
