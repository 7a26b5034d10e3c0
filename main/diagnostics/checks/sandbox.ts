import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** Checks that Chromium's sandbox isolates the window's page. */
export function checkSandbox({ isSandboxed, texts }: Ports<'isSandboxed' | 'texts'>): Finding {
  const { sandbox: says } = texts.diagnostics
  return isSandboxed ? { state: 'ok', sentence: says.good } : { state: 'warning', ...says.off }
}
