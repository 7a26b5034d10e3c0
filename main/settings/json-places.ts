import { visit } from 'jsonc-parser'
import type { Defect } from '../../contract/defects.ts'
import { syntaxDefect } from './defects.ts'

/** A place as editors show it. Line and column start at 1, and columns count UTF-16 code units. */
export interface Place {
  readonly line: number
  readonly column: number
}

export type Paths =
  /** The place of each key, by the key's path (`tls.caFiles`). If a key occurs twice, its last place is kept. */
  | {
      readonly ok: true
      readonly keys: ReadonlyMap<string, Place>
      readonly repeated: readonly { readonly key: string; readonly at: Place }[]
    }
  /** The first place where the text is not valid JSON. */
  | { readonly ok: false; readonly at: Place; readonly defect?: Defect }

/**
 * SECURITY: each key's path repeats the keys above it, so the paths of a small file could fill the memory. A longer
 * path isn't kept, and a problem at it is reported without a place.
 */
const LONGEST_PATH = 300

/** Says why a value isn't an object. In the registry, an object is a JSON text, in which there may be a mistake. */
export function noObject(value: unknown): Defect {
  const places = typeof value === 'string' && value.trimStart().startsWith('{') ? placesIn(value) : undefined
  return (places?.ok === false && places.defect) || { kind: 'object' }
}

/** Finds the places of keys and errors, which `JSON.parse` doesn't tell. */
export function placesIn(text: string): Paths {
  const keys = new Map<string, Place>()
  const repeated: { readonly key: string; readonly at: Place }[] = []
  const errors: { readonly at: Place; readonly defect?: Defect }[] = []
  try {
    visit(
      text,
      {
        onObjectProperty(key, _offset, _length, line, column, pathOf) {
          const path = [...pathOf().map((each) => (typeof each === 'number' ? '[]' : each)), key]
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
