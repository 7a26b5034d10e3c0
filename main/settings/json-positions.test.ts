import { expect, it } from 'vitest'
import { positionsIn } from './json-positions.ts'

it('SECURITY: a text that is nested too deeply is refused', () => {
  expect(positionsIn('['.repeat(1_000_000))).toEqual({ ok: false, at: { line: 1, column: 1 } })
})

it('SECURITY: paths of keys with over 300 characters aren’t kept, so a small file can’t fill the memory', () => {
  expect(positionsIn(`{"${'x'.repeat(299)}": {"a": 1}}`)).toMatchObject({ ok: true, keys: { size: 1 } })
})
