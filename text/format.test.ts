import { expect, test } from 'vitest'
import { createFormat, type Format } from './format.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const at = (day: number, hour: number, minute: number) => new Date(2025, 0, day, hour, minute).getTime()
const NOW = at(6, 14, 0)
const { wait, span, left, ago, plural } = createFormat('en')

test.each([
  ['today’s times have no day', 'en-GB', 'en-GB', at(6, 14, 51), /^14:51$/],
  ['tomorrow’s times have the weekday', 'en-GB', 'en-GB', at(7, 0, 30), /^Tue 00:30$/],
  ['later times have the date', 'en-US', 'de-DE', at(20, 9, 5), /^20 Jan\b.*9:05$/],
  ['the order is that of the times’ locale', 'de-DE', 'en-US', at(20, 9, 5), /^20\. Jan\b.*9:05\sAM$/],
  ['an unknown locale has the language’s times', 'fr', 'eo', at(20, 9, 5), /^20 janv\b.*9:05$/],
  ['the clock has 12 hours', 'en', 'en-US', at(6, 14, 51), /^2:51\sPM$/],
])('a moment in time: %s', (_, language, locale, time, text) => {
  expect(createFormat(language, locale).moment(time, NOW)).toMatch(text)
})

const since = (passed: number) => ago(NOW, NOW + passed)

test.each<[string, (duration: number) => string, number, string]>([
  ['left, rounded down', left, 41 * MINUTE + 59 * SECOND, '41 min'],
  ['left, rounded down', left, HOUR + 5 * MINUTE, '1 hr 5 min'],
  ['left, rounded down', left, 26 * HOUR, '1 day 2 hr'],
  ['to wait, rounded up', wait, 11_200, '12 seconds'],
  ['to wait, rounded up', wait, 0, '1 second'],
  ['to wait, rounded up', wait, 91 * SECOND, '2 minutes'],
  ['in one unit', span, 71 * HOUR, '71 hours'],
  ['in one unit', span, 72 * HOUR, '3 days'],
  ['that has passed', since, 119 * SECOND, '1 min. ago'],
  ['that has passed', since, 47 * HOUR, 'yesterday'],
])('a time %s', (_, format: Format['left'], duration, text) => expect(format(duration)).toBe(text))

test('the units are in the language of the texts', () => {
  expect([createFormat('de').left(2 * HOUR), createFormat('de').ago(0, 2 * MINUTE)]).toEqual(['2 Std.', 'vor 2 Min.'])
})

test('a count has its language’s plural form, or `other` if that form is missing', () => {
  const forms = { one: 'paquet', other: 'paquets' }
  expect([0, 1, 2].map((count) => createFormat('fr').plural(count, forms))).toEqual(['paquet', 'paquet', 'paquets'])
  expect(plural(0, forms)).toBe('paquets')
  expect(createFormat('pl').plural(3, forms)).toBe('paquets')
})
