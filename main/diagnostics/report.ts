import type { DiagnosticsTexts } from '../../text/en/diagnostics.ts'
import { CHECKS, type Line } from './line.ts'
import { type Person, redact } from './redact.ts'

/** One line, its advice and its details as text, aligned with the other lines. */
export function renderLine({ check, state, sentence, advice, details = [] }: Line, texts: DiagnosticsTexts): string {
  const states = Object.values(texts.states)
  const left = `${texts.states[state].padEnd(widthOf(states))}  ${texts.checks[check].padEnd(namesWidth(texts))}  `
  const below = [...(advice === undefined ? [] : [`→ ${advice}`]), ...details.map((detail) => `  ${detail}`)]
  return [left + sentence, ...below.map((text) => ' '.repeat(left.length) + text)].map((text) => `${text}\n`).join('')
}

const widthOf = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length))
const namesWidth = ({ checks }: DiagnosticsTexts): number => widthOf(CHECKS.map((check) => checks[check]))

/** The head of the report. @param at milliseconds since the epoch */
export const renderHead = (at: number, texts: DiagnosticsTexts): string =>
  `${texts.head(new Date(at).toISOString())}\n\n`

/** The foot of the report: the number of problems. */
export function renderFoot(lines: readonly Line[], texts: DiagnosticsTexts): string {
  const count = (state: Line['state']) => lines.filter((line) => line.state === state).length
  return `\n${texts.foot(count('failed'), count('warning'))}\n`
}

/** The report as plain text for a ticket. The lines must already be redacted. */
export function renderReport(lines: readonly Line[], at: number, texts: DiagnosticsTexts): string {
  return renderHead(at, texts) + lines.map((line) => renderLine(line, texts)).join('') + renderFoot(lines, texts)
}

interface Found {
  readonly lines: readonly Line[]
  /** The last lines of the log. */
  readonly log: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The report and the last lines of the log, as a text for support. */
export function renderDiagnostics({ lines, log, at }: Found, person: Person, texts: DiagnosticsTexts): string {
  const last = log.length === 0 ? [texts.noLog] : log.map((line) => redact(line, person))
  return `${renderReport(lines, at, texts)}\n${texts.log}\n\n${last.map((line) => `${line}\n`).join('')}`
}
