import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Shorter than that of a hook, so that its error says what is wrong. */
const TIMEOUT_MS = 120_000

export interface RunAs {
  readonly env: Readonly<Record<string, string>>
  /** The ids of the user and the group; by default those of the test's process. Only root can choose others. */
  readonly uid?: number | undefined
  readonly gid?: number | undefined
}

export type Daemon = ReturnType<typeof startDaemon>

/** Starts a program in the foreground. The program ends with the test's process, even if that process is killed. */
export function startDaemon(program: string, args: readonly string[], runAs: RunAs, input = '') {
  // The kernel ends the program if the test's process is killed.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
    ...options(runAs),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.on('error', (error) => {
    stderr += error.message
  })
  // The program may have ended before it read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  return {
    pid: child.pid ?? 0,
    said: () => stderr,
    async stop(): Promise<void> {
      process.off('exit', end)
      await ended(child)
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const hurry = setTimeout(() => child.kill('SIGKILL'), 2_000)
  await exit
  clearTimeout(hurry)
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export function run(program: string, args: readonly string[], runAs: RunAs, input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...args],
      { ...options(runAs), encoding: 'utf8', timeout: TIMEOUT_MS },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (typeof code === 'number') resolve({ code, stdout, stderr })
        else reject(error)
      },
    )
    // The program may have ended before it read its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

function options({ env, uid, gid }: RunAs) {
  return {
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  }
}

export async function until(ready: () => boolean | Promise<boolean>, complaint: () => string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  const isReady = async () => ready()
  while (!(await isReady().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(complaint())
    await sleep(20)
  }
}
