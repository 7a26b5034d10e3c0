import type { SessionView } from '../../contract/views.ts'
import type { DiagnosticsTexts } from '../../text/en/diagnostics.ts'
import { CHECKS, type Line } from './line.ts'
import { type Person, redact } from './redact.ts'

export function renderLine({ check, state, sentence, advice, details = [] }: Line, texts: DiagnosticsTexts): string {
  const states = Object.values(texts.states)
  const left = `${texts.states[state].padEnd(widthOf(states))}  ${texts.checks[check].padEnd(namesWidth(texts))}  `
  const below = [...(advice === undefined ? [] : [`→ ${advice}`]), ...details.map((detail) => `  ${detail}`)]
  return [left + sentence, ...below.map((text) => ' '.repeat(left.length) + text)].map((text) => `${text}\n`).join('')
}

const widthOf = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length))
const namesWidth = ({ checks }: DiagnosticsTexts): number => widthOf(CHECKS.map((check) => checks[check]))

/** @param at milliseconds since the epoch */
export const renderHead = (at: number, texts: DiagnosticsTexts): string =>
  `${texts.head(new Date(at).toISOString())}\n\n`

export function renderFoot(lines: readonly Line[], texts: DiagnosticsTexts): string {
  return `\n${texts.foot(countOf(lines, 'failed'), countOf(lines, 'warning'))}\n`
}

const countOf = (lines: readonly Line[], state: Line['state']): number =>
  lines.filter((line) => line.state === state).length

interface Found {
  /** The sessions in words, as `sessionInWords` returns them. */
  readonly sessions: readonly string[]
  readonly lines: readonly Line[]
  readonly log: readonly string[]
  /** In milliseconds since the epoch. */
  readonly at: number
}

interface SessionFound {
  readonly kind: SessionView['kind']
  readonly failure?: { readonly code: string } | undefined
}

export function sessionInWords(name: string, { kind, failure }: SessionFound): string {
  const words = kind === 'active' ? 'signed in' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${name}: ${words}${failure === undefined ? '' : ` (${failure.code})`}`
}

/** A few lines that the user can read out to a help desk. `sessions` may be left out if none is known. */
export function renderSummary({ lines, sessions }: Pick<Found, 'lines' | 'sessions'>, texts: DiagnosticsTexts): string {
  const { summary: says, checks } = texts
  const [versions] = lines.filter(({ check }) => check === 'versions')
  const system = versions?.details?.find((detail) => detail.startsWith('System '))
  // The lines came in the order in which the checks ended. In `CHECKS`, a cause comes before its effects.
  const sorted = lines.toSorted((one, other) => CHECKS.indexOf(one.check) - CHECKS.indexOf(other.check))
  const failed = sorted.find(({ state }) => state === 'failed')
  const warning = sorted.find(({ state }) => state === 'warning')
  const first = failed ?? warning ?? sorted.find(({ isOff }) => isOff)
  const problem = first && `${checks[first.check]}: ${first.sentence}`
  const rows = [
    [says.version, [versions?.sentence, system].filter(Boolean).join(', ')],
    ...(sessions.length === 0 ? [] : [[says.sessions, sessions.join(', ')] as const]),
    [says.result, texts.foot(countOf(lines, 'failed'), countOf(lines, 'warning'))],
    [says.problem, (first?.state === 'warning' && problem ? says.onlyWarning(problem) : problem) ?? says.noProblem],
    [says.advice, first?.advice ?? says.noAdvice],
  ] as const
  const width = widthOf(rows.map(([name]) => name))
  return [says.heading, ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)]
    .map((row) => `${row}\n`)
    .join('')
}

/** Plain text for a ticket. The lines must already be redacted. */
export function renderDiagnostics(found: Found, person: Person, texts: DiagnosticsTexts): string {
  const { lines, log, at } = found
  const last = log.length === 0 ? [texts.noLog] : log.map((line) => redact(line, person))
  const logged = last.map((line) => `${line}\n`).join('')
  const report =
    renderHead(at, texts) + lines.map((line) => renderLine(line, texts)).join('') + renderFoot(lines, texts)
  return `${renderSummary(found, texts)}\n${report}\n${texts.log}\n\n${logged}`
}
