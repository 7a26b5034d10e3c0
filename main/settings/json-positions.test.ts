import { expect, it } from 'vitest'
import { positionsIn } from './json-positions.ts'

it('each key’s line and column are found by its path; if a key occurs twice, the last position is kept', () => {
  const text = '{\n  "a": {"inner": [1, {"b": 2}]},\r\n\t"b\\u0062": "x", "c": null,\n"c": 1}'
  expect(positionsIn(text)).toEqual({
    ok: true,
    keys: new Map([
      ['a', { line: 2, column: 3 }],
      ['a.inner', { line: 2, column: 9 }],
      ['a.inner.[].b', { line: 2, column: 23 }],
      ['bb', { line: 3, column: 2 }],
      ['c', { line: 4, column: 1 }],
    ]),
    repeated: [{ key: 'c', at: { line: 4, column: 1 } }],
  })
})

it.each([
  ['{"a": [1,]}', 1, 10, { kind: 'commaBefore', detail: ']' }],
  ['{\n  a: 1\n}', 2, 3, { kind: 'noQuotes' }],
  ["{'a': 1}", 1, 2, { kind: 'quotes' }],
  ['{"a": "x\ny"}', 1, 7, { kind: 'textNotClosed' }],
  ['{"a": [1', 1, 9, { kind: 'notClosed', detail: ']' }],
  ['['.repeat(1_000_000), 1, 1, undefined],
])(
  'a text that is not JSON is refused, with the position of the error and what it is: %#',
  (text, line, column, defect) => {
    expect(positionsIn(text)).toEqual({ ok: false, at: { line, column }, defect })
  },
)

it('SECURITY: paths of keys with over 300 characters aren’t kept, so a small file can’t fill the memory', () => {
  expect(positionsIn(`{"${'x'.repeat(299)}": {"a": 1}}`)).toMatchObject({ ok: true, keys: { size: 1 } })
})
