import { expect, it } from 'vitest'
import { duration } from './say.mjs'

it.each([
  [1_400, '1 s'],
  [59_600, '1 min 0 s'],
  [230_000, '3 min 50 s'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words)
})
