import { scrub } from '../log/scrub.ts'
import type { Line } from './line.ts'

/** Who must not be named. */
export interface Person {
  /** The user's home folder. */
  readonly home: string
  /** The user's name at this computer. */
  readonly name: string
}

/** Homes of other people too: `/home/ana`, `/Users/ana`, `C:\Users\ana`. */
const HOMES = /(?:\/(?:home|Users)\/|\b[A-Z]:[\\/]Users[\\/])(?!Shared\b|Public\b)[^\\/\s"':;,)]*[^\\/\s"':;,).]/gi
// What ends a line, moves the cursor, turns the direction or can't be seen: a certificate may hold any of it.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * A text that can be shown to strangers: no secret, no home folder, not the user's name where it is part of a path.
 * Hosts stay: without them nobody could help.
 */
export function redact(text: string, { home, name }: Person): string {
  let left = scrub(text.replace(UNPRINTABLE, ' '))
  if (home.length > 1) left = left.replace(new RegExp(`${literally(home)}(?![\\w-]|\\.\\w)`, 'gi'), '~')
  left = left.replace(HOMES, '~')
  return name === '' ? left : left.replace(new RegExp(`(?<=[\\\\/])${literally(name)}(?=[\\\\/]|$)`, 'gi'), '[user]')
}

/** SECURITY: what the checks find is made to be pasted where many read it. */
export function redactLine({ sentence, advice, details, ...line }: Line, person: Person): Line {
  return {
    ...line,
    sentence: redact(sentence, person),
    ...(advice !== undefined && { advice: redact(advice, person) }),
    ...(details !== undefined && { details: details.map((detail) => redact(detail, person)) }),
  }
}
