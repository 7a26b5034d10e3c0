/** A program under measurement, started as a desktop starts it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { processTree } from '../test/support/processes.ts'

export interface Program {
  readonly executable: string
  readonly appFolder: string
  readonly dataFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** A file that Electron loads before the app. */
  readonly preloaded?: string
}

export interface Running {
  readonly pid: number
  /** The time just before the process was created (`performance.now()`). */
  readonly startedAt: number
  /** Ends the program with all its processes. */
  end(): Promise<void>
}

const END_TIMEOUT_MS = 15_000

export function start({ executable, appFolder, dataFolder, env, args = [], preloaded }: Program): Running {
  const startedAt = performance.now()
  const first = preloaded === undefined ? [] : ['-r', preloaded]
  const child = spawn(executable, [...first, appFolder, `--user-data-dir=${dataFolder}`, ...args], {
    env: { PATH: process.env['PATH'], LANG: 'en_GB.UTF-8', LANGUAGE: 'en', ...env },
    cwd: appFolder,
    stdio: 'ignore',
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${executable} did not start`)
  return { pid, startedAt, end: () => end(child, pid) }
}

export async function during<T>(program: Program, use: (running: Running) => Promise<T>): Promise<T> {
  const running = start(program)
  try {
    return await use(running)
  } finally {
    await running.end()
  }
}

async function end(child: ChildProcess, pid: number): Promise<void> {
  const others = processTree(pid).filter((each) => each.pid !== pid)
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const timeout = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
    await exit
    clearTimeout(timeout)
  }
  const isRunning = (other: number) => processTree(other).length > 0
  while (others.some((each) => isRunning(each.pid))) await sleep(20)
}
