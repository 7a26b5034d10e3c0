import { describe, expect, test } from 'vitest'
import { redact, redactLine } from './redact.ts'

const ANA = { home: '/home/ana', name: 'ana' }
const WINDOWS = { home: 'C:\\Users\\Ana Lopez', name: 'Ana Lopez' }

describe('a line of the diagnostics', () => {
  test.each([
    ['the path of the home folder', '/home/ana/.config/Latchkey', '~/.config/Latchkey'],
    ['the home folder at the end of a sentence', 'HOME is /home/ana.', 'HOME is ~.'],
    ['the home folders of other users', '/home/bob/x and /Users/bob/y', '~/x and ~/y'],
    ['the username within another path', '/srv/ana/agent.sock', '/srv/[user]/agent.sock'],
    ['the username at the end of a path', 'in /srv/ana', 'in /srv/[user]'],
    ['a token', 'got eyJhbGciOiJIUzI1NiJ9.e30.x', 'got [secret]'],
    ['control characters', 'CN=\u001b[2Jx\r\nok  fine\u202e', 'CN= [2Jx ok  fine '],
  ])('is shown without %s', (_, text, left) => {
    expect(redact(text, ANA)).toBe(left)
  })

  test.each([
    ['C:\\Users\\Ana Lopez\\AppData\\Local\\Latchkey', '~\\AppData\\Local\\Latchkey'],
    ['c:\\users\\ana lopez\\x', '~\\x'],
    ['C:\\Users\\bob\\x', '~\\x'],
    ['C:/Users/bob/x', '~/x'],
    ['D:\\Data\\Ana Lopez\\x', 'D:\\Data\\[user]\\x'],
  ])('is shown without the home folder and the username on Windows: %s', (text, left) => {
    expect(redact(text, WINDOWS)).toBe(left)
  })

  test.each(['/home/anabel.conf', 'banana.test', 'https://data.test/analysis', 'ana.example.com'])(
    'is never redacted in the middle of a word: %s',
    (text) => {
      expect(redact(text, { home: '/home/anab', name: 'ana' })).toBe(text.replace('/home/anabel.conf', '~'))
    },
  )

  test('is redacted with its advice and details', () => {
    const line = {
      check: 'agent',
      state: 'ok',
      sentence: '/home/ana',
      advice: '/home/ana',
      details: ['/home/ana'],
    } as const
    expect(redactLine(line, ANA)).toEqual({ check: 'agent', state: 'ok', sentence: '~', advice: '~', details: ['~'] })
  })

  test('stays the same if the home folder is / and the username is empty', () => {
    expect(redact('/etc/x, / and ~', { home: '/', name: '' })).toBe('/etc/x, / and ~')
  })
})
