import type { Desktop } from './desktop.ts'
import { demand, LATCHKEY, PATH, type Run, run, type Shell } from './programs.ts'

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}
export type Latchkey = (args: readonly string[], given?: Given) => Promise<Run>

/** Runs `latchkey` with this shell, on this desktop. */
export function latchkeyIn({ words: [shell, ...options] }: Shell, desktop: Desktop): Latchkey {
  demand('curl')
  const words = [demand(shell), ...options, LATCHKEY]
  const standard = { PATH, HOME: desktop.folder, LATCHKEY_SOCKET: desktop.socket }
  return (args, { env = {}, input = '' } = {}) =>
    run([...words, ...args], { env: { ...standard, ...env }, input, cwd: desktop.folder })
}
