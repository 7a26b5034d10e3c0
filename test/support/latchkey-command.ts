import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { type Ran, run } from '../keyring/programs.ts'
import { ROOT } from './app.ts'
import { ordinaryUser } from './ordinary-user.ts'
import type { TestDesktop } from './test-desktop.ts'

export function latchkey({ home, dataFolder }: TestDesktop, args: readonly string[]): Promise<Ran> {
  // The script is a copy, because perhaps only root can read the checkout.
  const script = path.join(home, 'latchkey')
  copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
  const env = { LATCHKEY_SOCKET: path.join(dataFolder, 'agent.sock') }
  return run('sh', ['-c', 'cd / && exec sh "$@"', 'sh', script, ...args], { env, ...ordinaryUser() })
}
