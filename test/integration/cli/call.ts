import { LATCHKEY, type Run, requireProgram, run, type Shell } from './programs.ts'
import type { ToolDesktop } from './tool-desktop.ts'

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}
export type Latchkey = (args: readonly string[], given?: Given) => Promise<Run>

export function latchkeyIn({ words: [shell, ...options] }: Shell, desktop: ToolDesktop): Latchkey {
  requireProgram('curl')
  const words = [requireProgram(shell), ...options, LATCHKEY]
  return (args, { env = {}, input = '' } = {}) =>
    run([...words, ...args], { env: { ...desktop.env, ...env }, input, cwd: desktop.folder })
}
