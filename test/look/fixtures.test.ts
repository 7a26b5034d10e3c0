import { expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { ONE_PER_VIEW } from './fixtures/one-per-view.ts'

const names = FIXTURES.map(({ name }) => name)

test('each state has a different name', () => {
  expect(new Set(names).size).toBe(names.length)
})

test('ONE_PER_VIEW names only states that exist', () => {
  expect([...ONE_PER_VIEW].filter((name) => !names.includes(name))).toEqual([])
})
