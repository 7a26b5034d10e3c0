import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

export function checkSandbox({ isSandboxed, texts }: Ports<'isSandboxed' | 'texts'>): Finding {
  const { sandbox: says } = texts.diagnostics
  return isSandboxed ? { state: 'ok', sentence: says.good } : { state: 'warning', ...says.off }
}
