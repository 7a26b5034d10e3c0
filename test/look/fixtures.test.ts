import { expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { TELLING } from './fixtures/telling.ts'

const names = FIXTURES.map(({ name }) => name)

test('each state has a name of its own', () => {
  expect(new Set(names).size).toBe(names.length)
})

test('every state that is pictured in other languages is a state', () => {
  expect([...TELLING].filter((name) => !names.includes(name))).toEqual([])
})
