import { expect, it } from 'vitest'
import { parseHttpDate, parseRetryAfter } from './response.ts'

const time = Date.UTC(1994, 10, 6, 8, 49, 37)
it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', time],
  ['Sunday, 06-Nov-94 08:49:37 GMT', time],
  ['Sun Nov  6 08:49:37 1994', time],
  ['1994-11-06T08:49:37Z', undefined],
  ['Sun, 06 Xyz 1994 08:49:37 GMT', undefined],
  ['5', undefined],
  ['', undefined],
  [undefined, undefined],
])('the HTTP-date %j is read as %j', (text, expected) => {
  expect(parseHttpDate(text)).toBe(expected)
})

const now = Date.UTC(1994, 10, 6, 8, 49, 37)
it.each([
  ['0', 0],
  ['120', 120],
  ['3600', 3600],
  ['86400', 3600],
  ['9'.repeat(400), 3600],
  ['Sun, 06 Nov 1994 08:50:07 GMT', 30],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['Fri, 31 Dec 1999 23:59:59 GMT', 3600],
  ['-5', undefined],
  ['1.5', 2],
  ['30.5', 31],
  [' 30 ', 30],
  ['-1.5', undefined],
  ['1.', undefined],
  ['1e3', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('the Retry-After %j means a wait of %j s', (text, expected) => {
  expect(parseRetryAfter(text, now)).toBe(expected)
})
