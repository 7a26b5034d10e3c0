/** Reads the text of a registry file (`.reg`), as `reg.exe export` writes it. */
import type { Position } from './json-positions.ts'

export type RegistryValue = string | number | undefined

export type RegistryKeys = ReadonlyMap<string, ReadonlyMap<string, RegistryValue>>

type RegistryText = { readonly ok: true; readonly keys: RegistryKeys } | { readonly ok: false; readonly at: Position }

const HEAD = /\uFEFF?Windows Registry Editor Version 5\.00[ \t]*(?:\r?\n|$)/y
const EMPTY = /[ \t]*(?:;[^\n]*)?(?:\r?\n|$)/y
const KEY = /\[(-?)([^\r\n]+)\][ \t]*(?:\r?\n|$)/y
const NAME = /(?:@|"((?:[^"\\]|\\.)*)")=/sy
const TEXT = /"((?:[^"\\]|\\.)*)"[ \t]*(?:\r?\n|$)/sy
const NUMBER = /dword:([0-9a-f]{1,8})[ \t]*(?:\r?\n|$)/iy
const BYTES = /hex(?:\(([0-9a-f]+)\))?:((?:[0-9a-f]{2}|[, \t]|\\\r?\n)*)(?:\r?\n|$)/iy

/** The types of text that `reg.exe` writes as bytes: REG_SZ and REG_EXPAND_SZ. */
const TEXT_TYPES = ['1', '2']

export const isRegistryText = (text: string): boolean => /^\uFEFF?Windows Registry Editor/.test(text)

export function parseRegistryText(text: string): RegistryText {
  const keys = new Map<string, Map<string, RegistryValue>>()
  let offset = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = offset
    const found = pattern.exec(text)
    if (found !== null) offset = pattern.lastIndex
    return found
  }
  const value = (): { readonly value: RegistryValue } | undefined => {
    const [, string] = take(TEXT) ?? []
    if (string !== undefined) return { value: unescaped(string) }
    const [, number] = take(NUMBER) ?? []
    if (number !== undefined) return { value: Number.parseInt(number, 16) }
    const [, type = '3', bytes] = take(BYTES) ?? []
    return bytes === undefined ? undefined : { value: TEXT_TYPES.includes(type) ? decoded(bytes) : undefined }
  }
  try {
    let values: Map<string, RegistryValue> | undefined
    let isGood = take(HEAD) !== null
    while (isGood && offset < text.length) {
      if (take(EMPTY)) continue
      const [, minus, key] = take(KEY) ?? []
      if (key !== undefined) {
        // `[-KEY]` deletes a key.
        values = minus === '-' ? new Map() : (keys.get(key) ?? new Map())
        if (minus !== '-') keys.set(key, values)
        continue
      }
      const start = offset
      const name = values && take(NAME)
      const read = name && value()
      isGood = Boolean(read)
      if (read) values?.set(unescaped(name?.[1] ?? ''), read.value)
      else offset = start
    }
    return isGood ? { ok: true, keys } : { ok: false, at: positionOf(text, offset) }
  } finally {
    // SECURITY: this match replaces the last text in `RegExp.input`, which can contain the client secret.
    ;/^/.test('')
  }
}

const unescaped = (text: string): string => text.replace(/\\(.)/gs, '$1')

function decoded(bytes: string): string {
  const buffer = Buffer.from(bytes.replace(/[^0-9a-f]/gi, ''), 'hex')
  return buffer.toString('utf16le').replace(/\0+$/, '')
}

function positionOf(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
