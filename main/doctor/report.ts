import type { DoctorTexts } from '../../text/en-doctor.ts'
import { CHECKS, type Line } from './line.ts'

/** One line, its advice and its details as text, aligned with all others. */
export function renderLine({ check, state, sentence, advice, details = [] }: Line, texts: DoctorTexts): string {
  const states = Object.values(texts.states)
  const left = `${texts.states[state].padEnd(widthOf(states))}  ${texts.checks[check].padEnd(namesWidth(texts))}  `
  const below = [...(advice === undefined ? [] : [`→ ${advice}`]), ...details.map((detail) => `  ${detail}`)]
  return [left + sentence, ...below.map((text) => ' '.repeat(left.length) + text)].map((text) => `${text}\n`).join('')
}

const widthOf = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length))
const namesWidth = ({ checks }: DoctorTexts): number => widthOf(CHECKS.map((check) => checks[check]))

/** What stands above the lines. @param at milliseconds since the epoch */
export const renderHead = (at: number, texts: DoctorTexts): string => `${texts.head(new Date(at).toISOString())}\n\n`

/** What stands below them: how many are not well. */
export function renderFoot(lines: readonly Line[], texts: DoctorTexts): string {
  const count = (state: Line['state']) => lines.filter((line) => line.state === state).length
  return `\n${texts.foot(count('failed'), count('warning'))}\n`
}

/** All of it as plain text that can be pasted into a ticket. The lines are as the doctor told them: redacted. */
export function renderReport(lines: readonly Line[], at: number, texts: DoctorTexts): string {
  return renderHead(at, texts) + lines.map((line) => renderLine(line, texts)).join('') + renderFoot(lines, texts)
}
