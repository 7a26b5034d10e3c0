import { expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { TELLING } from './fixtures/telling.ts'

const names = FIXTURES.map(({ name }) => name)

test('each state has a different name', () => {
  expect(new Set(names).size).toBe(names.length)
})

test('TELLING names only states that exist', () => {
  expect([...TELLING].filter((name) => !names.includes(name))).toEqual([])
})
