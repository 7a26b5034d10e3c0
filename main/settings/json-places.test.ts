import { expect, it } from 'vitest'
import { placesIn } from './json-places.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('placesIn finds the line and column of each key, by the key’s path', () => {
  const text = '{\n  "a": {"inner": [1, {"b": 2}]},\r\n\t"b\\u0062": "x", "c": null\n}'
  expect(placesIn(text)).toEqual({
    ok: true,
    keys: new Map([
      ['a', { line: 2, column: 3 }],
      ['a.inner', { line: 2, column: 9 }],
      ['a.inner.[].b', { line: 2, column: 23 }],
      ['bb', { line: 3, column: 2 }],
      ['c', { line: 3, column: 18 }],
    ]),
  })
})

it('placesIn finds the last of two keys with the same name, because JSON.parse uses the last one', () => {
  const places = placesIn('{"a": 1,\n"a": 2}')
  expect(places.ok && places.keys.get('a')).toEqual({ line: 2, column: 1 })
})

it.each([
  ['', 1, 1],
  ['\n\n', 3, 1],
  ['{', 1, 2],
  ['{\n  "a": 1,\n}', 3, 1],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\n  a: 1\n}', 2, 3],
  ["{'a': 1}", 1, 2],
  ['{"a" 1}', 1, 6],
  ['{"a": }', 1, 7],
  ['{"a": tru}', 1, 7],
  ['{"a": 01}', 1, 7],
  ['{"a": 1.}', 1, 7],
  ['{"a": "x\ny"}', 1, 7],
  ['{"a": "\\x"}', 1, 7],
  ['{"a": [1, 2}', 1, 12],
  ['{"a": 1} // why', 1, 10],
  ['{} {}', 1, 4],
  ['{"a": "open', 1, 7],
  ['\u00a0{}', 1, 1],
])('placesIn finds where %j stops being valid JSON', (text, line, column) => {
  expect(isJson(text)).toBe(false)
  expect(placesIn(text)).toEqual({ ok: false, at: { line, column } })
})

it.each(['{}', '[]', ' "x" ', '-0.5e+3', 'true', '[[], [1, "\\ud83d\\n\\/"], {"a": {}}]', '{"": "\u2028"}'])(
  'placesIn accepts what JSON.parse accepts: %s',
  (text) => {
    expect(isJson(text)).toBe(true)
    expect(placesIn(text).ok).toBe(true)
  },
)

it('placesIn refuses a text that is nested too deeply', () => {
  expect(placesIn('['.repeat(1_000_000)).ok).toBe(false)
})
