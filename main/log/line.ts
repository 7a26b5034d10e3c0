import { Secret } from '../base/secret.ts'
import type { LogEvent, LogFields } from './log.ts'
import { scrub } from './scrub.ts'

const LONGEST_VALUE = 500
/** Fields that would make the line longer are left out. */
const LONGEST_LINE = 4_000
const TELLING_NAME = /passw|secret|token|authorization|cookie|credential/i
const PLAIN = /^[\w.:/@+[\]-]+$/
/** Characters that end a line, move the cursor, change the direction, or are invisible. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/** `2026-03-01T12:00:00.000Z info  session.state from=active to=unreachable`; `at` is milliseconds since the epoch. */
export function logLine({ level, event, fields = {} }: LogEvent, at: number): string {
  let line = `${new Date(at).toISOString()} ${level.padEnd(5)} ${printable(scrub(String(event)))}`.slice(0, 200)
  for (const [name, value] of Object.entries<unknown>(fields satisfies LogFields)) {
    if (value === undefined) continue
    const field = ` ${printable(scrub(name))}=${written(name, value)}`
    if (line.length + field.length > LONGEST_LINE) return `${line} …`
    line += field
  }
  return line
}

/** A cast can bypass the types, so the content of an unknown object is not printed. */
function written(name: string, value: unknown): string {
  if (value instanceof Secret) return String(value)
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return String(value)
    case 'string':
      // SECURITY: a field whose name suggests a secret is treated as one, whatever its value looks like.
      return TELLING_NAME.test(name) ? '[secret]' : quoted(cut(scrub(value)))
    default:
      return `[${typeof value}]`
  }
}

const cut = (text: string): string => (text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`)

const quoted = (text: string): string => (PLAIN.test(text) ? text : printable(JSON.stringify(text)))

// SECURITY: text from outside could forge a log line, or control the terminal that shows the log.
const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
