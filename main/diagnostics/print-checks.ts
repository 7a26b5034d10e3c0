/** `latchkey-desktop --doctor` needs no window and no single-instance lock, so it works even if the app doesn't. */

import { forTerminal } from '../base/display-text.ts'
import { exitCodeOf, type Line } from './line.ts'
import type { DiagnosticsPorts } from './ports.ts'
import { renderFoot, renderHead, renderLine, renderSummary } from './report.ts'
import { runChecks } from './run-checks.ts'

export interface Output {
  write(text: string, done: () => void): unknown
}

/** Prints each line as soon as it is known. Resolves to the exit code. */
export async function printChecks(ports: DiagnosticsPorts, stdout: Output): Promise<0 | 1> {
  // The callback is called even if the reader has closed the pipe (`| head`).
  const print = (text: string) => new Promise<void>((resolve) => stdout.write(forTerminal(text), () => resolve()))
  const texts = ports.texts.diagnostics
  const lines: Line[] = []
  await print(renderHead(ports.clock.wall(), texts))
  for await (const line of runChecks(ports)) {
    lines.push(line)
    await print(renderLine(line, texts))
  }
  await print(renderFoot(lines, texts))
  if (lines.some(({ state }) => state === 'failed' || state === 'warning'))
    await print(`\n${renderSummary({ lines, sessions: [] }, texts)}`)
  return exitCodeOf(lines)
}
