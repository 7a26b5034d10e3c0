import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser'
import type { Defect } from '../../contract/defects.ts'
import { KINDS } from '../../contract/setting-rows.ts'
import { SETTINGS, type SettingProblem, type ValueName } from '../../contract/settings.ts'

/** Windows editors put a byte order mark at the beginning. */
export function decodeText(bytes: Buffer): { readonly text: string } | { readonly defect: Defect } {
  const [first, second] = bytes
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  // JSON starts with an ASCII character, which UTF-16 writes with a zero byte.
  if (isMarked || (bytes.length > 1 && (first === 0) !== (second === 0))) return { defect: { kind: 'utf16' } }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { defect: { kind: 'notUtf8' } }
  }
}

/** The mistake that a person has probably made; `undefined` if the parser's error doesn't show it. */
export function syntaxDefect(text: string, error: ParseErrorCode, offset: number): Defect | undefined {
  const found = text.charAt(offset)
  if (text.trim() === '') return { kind: 'empty' }
  switch (printParseErrorCode(error)) {
    case 'PropertyNameExpected':
    case 'ValueExpected':
      return text.slice(0, offset).trimEnd().endsWith(',') ? { kind: 'commaBefore', detail: found } : undefined
    case 'CommaExpected':
      return { kind: 'commaMissing' }
    case 'ColonExpected':
      return { kind: 'colonMissing' }
    case 'CloseBraceExpected':
      return { kind: 'notClosed', detail: '}' }
    case 'CloseBracketExpected':
      return { kind: 'notClosed', detail: ']' }
    case 'EndOfFileExpected':
      return { kind: 'afterTheEnd' }
    case 'InvalidCommentToken':
      return { kind: 'comment' }
    case 'InvalidEscapeCharacter':
      return { kind: 'backslash' }
    case 'UnexpectedEndOfString':
      return { kind: 'textNotClosed' }
    case 'InvalidSymbol':
      if (/['‘’“”„«»]/.test(found)) return { kind: 'quotes' }
      return /[\p{L}_]/u.test(found) ? { kind: 'noQuotes' } : undefined
    default:
      return undefined
  }
}

export function valueDefect(name: ValueName, value: unknown, problem: SettingProblem): Defect | undefined {
  const { kind } = SETTINGS[name]
  switch (kind) {
    case 'switch':
    case 'port':
      return { kind }
    case 'flow':
    case 'methods':
      return { kind: 'oneOf', detail: KINDS[kind].enum.join(', ') }
    default:
      if (typeof value !== 'string') return { kind: 'text' }
      if (kind === 'domain') return { kind }
      return isOfAddress(problem) ? { kind: problem } : undefined
  }
}

type OfAddress = Extract<Defect['kind'], SettingProblem>
const OF_ADDRESS: readonly SettingProblem[] = ['notAnAddress', 'notHttps', 'hasCredentials', 'hasQuery']
const isOfAddress = (problem: SettingProblem): problem is OfAddress => OF_ADDRESS.includes(problem)

const LONGEST_KEY = 60

export function suggestion(key: string, names: readonly string[]): { readonly defect?: Defect } {
  const [outer = '', inner] = key.split('.')
  const isNested = inner !== undefined && (outer === 'tls' || outer === 'connections') && key.length <= LONGEST_KEY
  const detail = isNested ? `"${outer}": { "${inner}": … }` : meantBy(key, names)
  return detail === undefined ? {} : { defect: { kind: 'meant', detail } }
}

/** The setting whose name or variable differs least from the key: by two letters at most, in a short name by one. */
function meantBy(key: string, names: readonly string[]): string | undefined {
  if (key.length > LONGEST_KEY) return undefined
  const written = bare(key)
  const [best] = names
    .map((name) => ({ name, distance: Math.min(...spellings(name).map((each) => distance(written, each))) }))
    .filter(({ name, distance }) => distance <= (name.length < 6 ? 1 : 2))
    .sort((one, other) => one.distance - other.distance)
  return best?.name
}

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]|^latchkey_(sso_)?/g, '')

const spellings = (name: string): readonly string[] => {
  const variable = Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof typeof SETTINGS].variable : undefined
  return [bare(name), ...(variable === undefined ? [] : [bare(variable)])]
}

/** How many letters must be added, removed, replaced or swapped with a neighbour to turn one text into the other. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    rows.push([row])
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(one.length, other.length)
}
