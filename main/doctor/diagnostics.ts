import type { DoctorTexts } from '../../text/en-doctor.ts'
import type { Line } from './line.ts'
import { type Person, redact } from './redact.ts'
import { renderReport } from './report.ts'

interface Found {
  readonly lines: readonly Line[]
  /** The last lines of the log. */
  readonly log: readonly string[]
  /** When: milliseconds since the epoch. */
  readonly at: number
}

/** The doctor's report and the last lines of the log, as a text to hand to a person who helps. */
export function renderDiagnostics({ lines, log, at }: Found, person: Person, texts: DoctorTexts): string {
  const last = log.length === 0 ? [texts.noLog] : log.map((line) => redact(line, person))
  return `${renderReport(lines, at, texts)}\n${texts.log}\n\n${last.map((line) => `${line}\n`).join('')}`
}
