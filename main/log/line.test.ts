import { expect, test } from 'vitest'
import { password } from '../base/secret.ts'
import { logLine } from './line.ts'
import type { LogFields } from './log.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const line = (fields: LogFields, event = 'session.state') => logLine({ level: 'info', event, fields }, AT)
const START = '2026-03-01T12:00:00.000Z info  session.state'

test('an event becomes one line: time, level, name and fields', () => {
  expect(line({ from: 'active', count: 2, isFirst: true, cause: 'no such host', absent: undefined })).toBe(
    `${START} from=active count=2 isFirst=true cause="no such host"`,
  )
})

test('SECURITY: a secret is hidden, and so is the text of a field whose name suggests one', () => {
  expect(line({ value: password('hunter2'), newPassword: 'hunter2', cookieJar: 'c', tokenLifetime: 300 })).toBe(
    `${START} value=[secret] newPassword=[secret] cookieJar=[secret] tokenLifetime=300`,
  )
})

test.each([
  ['a line break', 'a\nb', '"a\\nb"'],
  ['a C1 control', 'a\u009bb', '"a\\u{9b}b"'],
  ['a change of direction', 'a\u202eb', '"a\\u{202e}b"'],
  ['text that looks like another field', 'x level=error', '"x level=error"'],
])('no external text can forge a line or control a terminal: %s', (_, value, written) => {
  expect(line({ value })).toBe(`${START} value=${written}`)
  expect(line({}, `session.state${value}`)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
})

test('values and lines have a maximum length', () => {
  expect(line({ value: 'ab '.repeat(10_000) }).length).toBeLessThan(600)
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 'ab '.repeat(100)]))
  expect(line(many).length).toBeLessThan(4_010)
})

test('an unexpected object’s content is not printed', () => {
  const forced = { a: { token: 'hunter2' }, b: new Error('hunter2'), c: ['hunter2'], d: () => 'hunter2', e: null }
  // @ts-expect-error: a field can't be an object, such as an error or a request.
  expect(line(forced)).toBe(`${START} a=[object] b=[object] c=[object] d=[function] e=[object]`)
})
