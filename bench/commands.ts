/** Times whole processes, from start to exit. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { median } from './statistics.ts'

export interface Command {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Who runs the command; by default the current user. Only root can choose another user. */
  readonly uid?: number
  readonly gid?: number
}

/** Runs the command in the shell's arguments. Without a command, only the shell itself is measured. */
const START = '[ "$#" = 0 ] || "$@" >/dev/null'

/** Milliseconds for each run, without the overhead of Node and the shell. */
export async function time(command: Command, runs: number): Promise<readonly number[]> {
  const [all, nothing]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    nothing.push(await timeOnce({ ...command, words: [] }))
    all.push(await timeOnce(command))
  }
  const overhead = median(nothing)
  return all.map((taken) => taken - overhead)
}

async function timeOnce({ words, ...options }: Command): Promise<number> {
  const startedAt = performance.now()
  const shell = spawn('/bin/sh', ['-c', START, 'sh', ...words], { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(shell, 'exit')
  const taken = performance.now() - startedAt
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  return taken
}

/** The command's output without trailing white space. Rejects if the command fails. */
export async function output({ words: [program = '', ...args], ...options }: Command): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...options, timeout: 20_000 })
  return stdout.trimEnd()
}
