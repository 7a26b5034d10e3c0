import { expect, it } from 'vitest'
import { parseHttpDate, parseRetryAfter } from './response.ts'

const time = Date.UTC(1994, 10, 6, 8, 49, 37)
it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', time],
  ['Sunday, 06-Nov-94 08:49:37 GMT', time],
  ['Sun Nov  6 08:49:37 1994', time],
  ['1994-11-06T08:49:37Z', undefined],
  [undefined, undefined],
])('the HTTP-date %j is read as %j', (text, expected) => {
  expect(parseHttpDate(text)).toBe(expected)
})

const now = Date.UTC(1994, 10, 6, 8, 49, 37)
it.each([
  ['120', 120],
  ['86400', 3600],
  ['Sun, 06 Nov 1994 08:50:07 GMT', 30],
  ['30.5', 31],
  ['-1.5', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('the Retry-After %j means a wait of %j s', (text, expected) => {
  expect(parseRetryAfter(text, now)).toBe(expected)
})
