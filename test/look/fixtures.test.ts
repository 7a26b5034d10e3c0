import { expect, test } from 'vitest'
import { FULLY_PICTURED } from './fixtures/fully-pictured.ts'
import { FIXTURES } from './fixtures/index.ts'

const names = FIXTURES.map(({ name }) => name)

test('each state has a different name', () => {
  expect(new Set(names).size).toBe(names.length)
})

test('FULLY_PICTURED names only states that exist', () => {
  expect([...FULLY_PICTURED].filter((name) => !names.includes(name))).toEqual([])
})
