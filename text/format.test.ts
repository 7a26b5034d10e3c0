import { describe, expect, test } from 'vitest'
import { createFormat } from './format.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const at = (day: number, hour: number, minute: number) => new Date(2025, 0, day, hour, minute).getTime()

describe('a moment in time', () => {
  const { moment } = createFormat('en-GB')
  const now = at(6, 14, 0)

  test('today’s times have no day', () => expect(moment(at(6, 14, 51), now)).toBe('14:51'))
  test('tomorrow’s times have the weekday, even if they are less than 24 hours away', () => {
    expect(moment(at(7, 0, 30), now)).toBe('Tue 00:30')
  })
  test('later times have the date', () => {
    expect(moment(at(20, 9, 5), now)).toMatch(/^20 Jan.* 0?9:05$/)
  })
  test('the user’s 12 or 24 hour clock applies, whatever the language', () => {
    expect(createFormat('en', 'it-IT').moment(at(6, 14, 51), now)).toBe('14:51')
    expect(createFormat('en', 'en-US').moment(at(6, 14, 51), now)).toMatch(/^2:51\sPM$/)
  })
  test.each([
    ['en-US', 'en-GB', /^20 Jan\b.*9:05$/],
    ['en-US', 'de-DE', /^20 Jan\b.*9:05$/],
    ['en-GB', 'en-US', /^Jan 20\b.*9:05\sAM$/],
    ['de-DE', 'en-US', /^20\. Jan\b.*9:05\sAM$/],
    ['fr', 'eo', /^20 janv\b.*9:05$/],
  ])('the words are in %s, and the clock and the order of the date are as in %s', (language, locale, text) => {
    expect(createFormat(language, locale).moment(at(20, 9, 5), now)).toMatch(text)
  })
})

describe('the time left is rounded down', () => {
  const { left } = createFormat('en')
  test.each([
    [41 * MINUTE + 59 * SECOND, '41 min'],
    [HOUR, '1 hr'],
    [HOUR + 5 * MINUTE, '1 hr 5 min'],
    [26 * HOUR, '1 day 2 hr'],
    [-MINUTE, '0 min'],
  ])('%d ms', (duration, text) => expect(left(duration)).toBe(text))

  test('the units are in the language of the texts', () => expect(createFormat('de').left(2 * HOUR)).toBe('2 Std.'))
})

const { wait } = createFormat('en')
test.each([
  [11_200, '12 seconds'],
  [900, '1 second'],
  [0, '1 second'],
  [91 * SECOND, '2 minutes'],
  [HOUR, '60 minutes'],
  [91 * MINUTE, '2 hours'],
])('the time to wait is rounded up, with singular or plural: %d ms', (duration, text) =>
  expect(wait(duration)).toBe(text),
)

const { span } = createFormat('en')
test.each([
  [MINUTE, '1 minute'],
  [61 * MINUTE, '61 minutes'],
  [2 * HOUR, '2 hours'],
  [71 * HOUR, '71 hours'],
  [72 * HOUR, '3 days'],
])('a duration is shown in one unit: %d ms', (duration, text) => expect(span(duration)).toBe(text))

describe('the time since an event is rounded down', () => {
  const { ago } = createFormat('en')
  test.each([
    [-SECOND, 'now'],
    [59 * SECOND, 'now'],
    [119 * SECOND, '1 min. ago'],
    [HOUR, '1 hr. ago'],
    [47 * HOUR, 'yesterday'],
    [49 * HOUR, '2 days ago'],
  ])('%d ms', (passed, text) => expect(ago(at(6, 14, 0), at(6, 14, 0) + passed)).toBe(text))

  test('the units are in the language of the texts', () =>
    expect(createFormat('de').ago(0, 2 * MINUTE)).toBe('vor 2 Min.'))
})

test('a count has its language’s plural form, or `other` if that form is missing', () => {
  const forms = { one: 'paquet', other: 'paquets' }
  expect([0, 1, 2].map((count) => createFormat('fr').plural(count, forms))).toEqual(['paquet', 'paquet', 'paquets'])
  expect(createFormat('en').plural(0, forms)).toBe('paquets')
  expect(createFormat('pl').plural(3, forms)).toBe('paquets')
})

test('an invalid timestamp stays as it is', () => {
  const { timestamp } = createFormat('en')
  expect(timestamp('Jan  1 00:00:00 2025 GMT')).toContain('2025')
  expect(timestamp('whenever')).toBe('whenever')
})
