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

it('a text that is not JSON is refused, with the position of the error and what it is', () => {
  expect(positionsIn('{"a": [1,]}')).toEqual({
    ok: false,
    at: { line: 1, column: 10 },
    defect: { kind: 'commaBefore', detail: ']' },
  })
  expect(positionsIn('{\n  "a": "x\ny"}')).toMatchObject({
    at: { line: 2, column: 8 },
    defect: { kind: 'textNotClosed' },
  })
  expect(positionsIn('{} {}')).toMatchObject({ at: { line: 1, column: 4 }, defect: { kind: 'afterTheEnd' } })
  expect(positionsIn('['.repeat(1_000_000))).toEqual({ ok: false, at: { line: 1, column: 1 } })
})

it('SECURITY: paths of keys with over 300 characters aren’t kept, so a small file can’t fill the memory', () => {
  expect(positionsIn(`{"${'x'.repeat(299)}": {"a": 1}}`)).toMatchObject({ ok: true, keys: { size: 1 } })
})
