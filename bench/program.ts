import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { processTree } from '../test/support/processes.ts'

export interface Program {
  readonly executable: string
  readonly appFolder: string
  readonly dataFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly preloaded: string
}

export interface Running {
  readonly pid: number
  /** The time just before the process was created (`performance.now()`). */
  readonly startedAt: number
}

const END_TIMEOUT_MS = 15_000

/** Starts a program as a desktop does, and ends it with all its processes after its use. */
export async function during<T>(program: Program, use: (running: Running) => Promise<T>): Promise<T> {
  const { executable, appFolder, dataFolder, env, args = [], preloaded } = program
  const startedAt = performance.now()
  const child = spawn(executable, ['-r', preloaded, appFolder, `--user-data-dir=${dataFolder}`, ...args], {
    env: { PATH: process.env['PATH'], LANG: 'en_GB.UTF-8', LANGUAGE: 'en', ...env },
    cwd: appFolder,
    stdio: 'ignore',
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${executable} did not start`)
  try {
    return await use({ pid, startedAt })
  } finally {
    const others = processTree(pid).filter((each) => each.pid !== pid)
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const timeout = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
      await exit
      clearTimeout(timeout)
    }
    while (others.some((each) => processTree(each.pid).length > 0)) await sleep(20)
  }
}
