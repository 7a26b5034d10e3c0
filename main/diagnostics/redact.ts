import { scrub } from '../log/scrub.ts'
import type { Line } from './line.ts'

export interface Person {
  readonly home: string
  readonly name: string
}

/** The home folders, even those of other users: `/home/ana`, `/Users/ana`, `C:\Users\ana`. */
const HOMES = /(?:\/(?:home|Users)\/|\b[A-Z]:[\\/]Users[\\/])(?!Shared\b|Public\b)[^\\/\s"':;,)]*[^\\/\s"':;,).]/gi
// Line breaks, and control, direction and invisible characters. A certificate may contain any of them.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Leaves out secrets, home folders, and usernames in paths. Hosts stay, because support needs them. */
export function redact(text: string, { home, name }: Person): string {
  let left = scrub(text.replace(UNPRINTABLE, ' '))
  if (home.length > 1) left = left.replace(new RegExp(`${literally(home)}(?![\\w-]|\\.\\w)`, 'gi'), '~')
  left = left.replace(HOMES, '~')
  return name === '' ? left : left.replace(new RegExp(`(?<=[\\\\/])${literally(name)}(?=[\\\\/]|$)`, 'gi'), '[user]')
}

/** SECURITY: people paste these lines into public places. */
export function redactLine({ sentence, advice, details, ...line }: Line, person: Person): Line {
  return {
    ...line,
    sentence: redact(sentence, person),
    ...(advice !== undefined && { advice: redact(advice, person) }),
    ...(details !== undefined && { details: details.map((detail) => redact(detail, person)) }),
  }
}
