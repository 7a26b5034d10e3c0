import { Secret } from '../session/secret.ts'
import type { LogEvent, LogFields } from './log.ts'
import { scrub } from './scrub.ts'

/** Longer values are cut: characters. */
const LONGEST_VALUE = 500
/** Longer lines are: the fields that would pass it are left out. */
const LONGEST_LINE = 4_000

const TELLING_NAME = /passw|secret|token|authorization|cookie|credential/i
/** What needs no quotes to be read as one value. */
const PLAIN = /^[\w.:/@+[\]-]+$/
/** Ends a line, moves the cursor, turns the direction, or can't be seen. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * One event as one line: `2026-03-01T12:00:00.000Z info  session.state from=active to=unreachable`.
 * @param at milliseconds since the epoch
 */
export function lineOf({ level, event, fields = {} }: LogEvent, at: number): string {
  let line = `${new Date(at).toISOString()} ${level.padEnd(5)} ${printable(scrub(String(event)))}`.slice(0, 200)
  for (const [name, value] of Object.entries<unknown>(fields satisfies LogFields)) {
    if (value === undefined) continue
    const field = ` ${printable(scrub(name))}=${written(name, value)}`
    if (line.length + field.length > LONGEST_LINE) return `${line} …`
    line += field
  }
  return line
}

/** Types keep the rest out. Where they were got around, nothing is unfolded that nobody has looked at. */
function written(name: string, value: unknown): string {
  if (value instanceof Secret) return String(value)
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return String(value)
    case 'string':
      // SECURITY: a field of such a name holds a secret, whatever it looks like.
      return TELLING_NAME.test(name) ? '[secret]' : quoted(cut(scrub(value)))
    default:
      return `[${typeof value}]`
  }
}

const cut = (text: string): string => (text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`)

const quoted = (text: string): string => (PLAIN.test(text) ? text : printable(JSON.stringify(text)))

// SECURITY: what a server or a tool sent could forge a line of its own, or speak to the terminal that shows the log.
const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
