import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './app.ts'
import { ordinaryUser } from './ordinary-user.ts'
import type { TestDesktop } from './test-desktop.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const socketOf = ({ dataFolder }: TestDesktop) => path.join(dataFolder, 'agent.sock')

/** Runs the command as the app's user. */
export async function latchkey(desk: TestDesktop, args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', LATCHKEY_SOCKET: socketOf(desk) }
  try {
    // The script is a copy, because perhaps only root can read the checkout.
    const script = path.join(desk.home, 'latchkey')
    copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
    const run = promisify(execFile)('sh', [script, ...args], { env, cwd: '/', ...ordinaryUser() })
    return { code: 0, ...(await run) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ended
    return { code, stdout, stderr }
  }
}
