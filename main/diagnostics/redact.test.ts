import { expect, test } from 'vitest'
import { redact, redactLine } from './redact.ts'

const ANA = { home: '/home/ana', name: 'ana' }
const ON_WINDOWS = { home: 'C:\\Users\\Ana Lopez', name: 'Ana Lopez' }

test.each([
  ['HOME is /home/ana.', 'HOME is ~.', ANA],
  ['/home/bob/x and /Users/bob/y', '~/x and ~/y', ANA],
  ['/srv/ana/agent.sock in /srv/ana', '/srv/[user]/agent.sock in /srv/[user]', ANA],
  ['got eyJhbGciOiJIUzI1NiJ9.e30.x', 'got [secret]', ANA],
  ['CN=\u001b[2Jx\r\nok  fine\u202e', 'CN= [2Jx ok  fine ', ANA],
  ['banana.test https://data.test/analysis', 'banana.test https://data.test/analysis', ANA],
  ['c:\\users\\ana lopez\\x', '~\\x', ON_WINDOWS],
  ['C:/Users/bob/x', '~/x', ON_WINDOWS],
  ['D:\\Data\\Ana Lopez\\x', 'D:\\Data\\[user]\\x', ON_WINDOWS],
  ['/etc/x, / and ~', '/etc/x, / and ~', { home: '/', name: '' }],
])('SECURITY: home folders, usernames, tokens and control characters are left out: %j', (text, left, person) => {
  expect(redact(text, person)).toBe(left)
})

test('SECURITY: a line is redacted with its advice and details', () => {
  const line = {
    check: 'agent',
    state: 'ok',
    sentence: '/home/ana',
    advice: '/home/ana',
    details: ['/home/ana'],
  } as const
  expect(redactLine(line, ANA)).toEqual({ check: 'agent', state: 'ok', sentence: '~', advice: '~', details: ['~'] })
})
