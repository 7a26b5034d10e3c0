/** Times whole processes, from their start to their end. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { median } from './statistics.ts'

export interface Command {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The smallest shell there is starts it, or nothing: what that shell and Node take themselves is taken off. */
const START = '[ "$#" = 0 ] || "$@" >/dev/null'

/** Milliseconds that each of so many runs takes. */
export async function time({ words, env }: Command, runs: number): Promise<readonly number[]> {
  const [all, nothing]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    nothing.push(await timeOnce([], env))
    all.push(await timeOnce(words, env))
  }
  const start = median(nothing)
  return all.map((taken) => taken - start)
}

async function timeOnce(words: readonly string[], env: Command['env']): Promise<number> {
  const began = performance.now()
  const shell = spawn('/bin/sh', ['-c', START, 'sh', ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(shell, 'exit')
  const taken = performance.now() - began
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  return taken
}

/** What it prints, without the line's end. Rejects when it fails. */
export async function output({ words: [program = '', ...args], env }: Command): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 20_000 })
  return stdout.trimEnd()
}
