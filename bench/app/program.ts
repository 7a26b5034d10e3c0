/** A program that is measured from outside: started as a person's desktop starts it, and ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { processTree } from '../../test/support/processes.ts'

export interface Program {
  readonly executable: string
  readonly appFolder: string
  readonly dataFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

export interface Running {
  readonly pid: number
  /** Just before its process was made: `performance.now()`. */
  readonly startedAt: number
  /** Ends it, and all it has started; resolves when nothing of it is left. */
  end(): Promise<void>
}

const PATIENCE = 15_000

export function start({ executable, appFolder, dataFolder, env, args }: Program): Running {
  const startedAt = performance.now()
  const child = spawn(executable, [appFolder, `--user-data-dir=${dataFolder}`, ...args], {
    env: { PATH: process.env['PATH'], LANG: 'en_GB.UTF-8', LANGUAGE: 'en', ...env },
    cwd: appFolder,
    stdio: 'ignore',
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${executable} did not start`)
  return { pid, startedAt, end: () => end(child, pid) }
}

async function end(child: ChildProcess, pid: number): Promise<void> {
  const others = processTree(pid).filter((each) => each.pid !== pid)
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const hurry = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    await exit
    clearTimeout(hurry)
  }
  const isThere = (other: number) => processTree(other).length > 0
  while (others.some((each) => isThere(each.pid))) await sleep(20)
}
