import { expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { TELLING } from './fixtures/telling.ts'

const names = FIXTURES.map(({ name }) => name)

test('each state has a different name', () => {
  expect(new Set(names).size).toBe(names.length)
})

test('every state that also gets pictures in other languages exists', () => {
  expect([...TELLING].filter((name) => !names.includes(name))).toEqual([])
})
