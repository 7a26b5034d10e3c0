import { visit } from 'jsonc-parser'
import type { Defect } from '../../contract/defects.ts'
import { syntaxDefect } from './defects.ts'

/** A position in a text, as editors show it. Line and column start at 1, and columns count UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

type JsonPositions =
  /** The position of each key, by the key's path (`tls.caFiles`). If a key occurs twice, its last position is kept. */
  | {
      readonly ok: true
      readonly keys: ReadonlyMap<string, Position>
      readonly repeated: readonly { readonly key: string; readonly at: Position }[]
    }
  | { readonly ok: false; readonly at: Position; readonly defect?: Defect }

/** SECURITY: each path repeats the keys above it and could fill the memory, so no position is kept for longer ones. */
const LONGEST_PATH = 300

/** Says why a value isn't an object. In the registry, an object is stored as JSON, which may contain a mistake. */
export function whyNotAnObject(value: unknown): Defect {
  const found = typeof value === 'string' && value.trimStart().startsWith('{') ? positionsIn(value) : undefined
  return (found?.ok === false && found.defect) || { kind: 'object' }
}

/** Finds the positions of keys and errors, which `JSON.parse` doesn't report. */
export function positionsIn(text: string): JsonPositions {
  const keys = new Map<string, Position>()
  const repeated: { readonly key: string; readonly at: Position }[] = []
  const errors: { readonly at: Position; readonly defect?: Defect }[] = []
  try {
    visit(
      text,
      {
        onObjectProperty(key, _offset, _length, line, column, pathOf) {
          const above = pathOf()
          if (above.length >= LONGEST_PATH) return
          const path = [...above.map((each) => (typeof each === 'number' ? '[]' : each)), key]
          const length = path.reduce((sum, each) => sum + each.length + 1, -1)
          if (length > LONGEST_PATH) return
          const [full, at] = [path.join('.'), { line: line + 1, column: column + 1 }]
          if (keys.has(full) && !path.includes('[]')) repeated.push({ key: full, at })
          keys.set(full, at)
        },
        onError(error, offset, _length, line, column) {
          const defect = syntaxDefect(text, error, offset)
          errors.push({ at: { line: line + 1, column: column + 1 }, ...(defect === undefined ? {} : { defect }) })
        },
      },
      { disallowComments: true },
    )
    if (errors.length === 0) JSON.parse(text)
  } catch {
    // The text is nested too deeply, or `JSON.parse` refuses what this parser accepts.
    errors.push({ at: { line: 1, column: 1 } })
  }
  const [first] = errors
  return first === undefined ? { ok: true, keys, repeated } : { ok: false, ...first }
}
