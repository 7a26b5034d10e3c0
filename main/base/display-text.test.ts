import { describe, expect, it } from 'vitest'
import { displayText, forTerminal } from './display-text.ts'

const shown = (text: string) => displayText(text, 20)

describe('external text', () => {
  it.each([
    ['line breaks', 'Ana\r\nof\u2028finance\u0085!', 'Ana of finance!'],
    ['spaces of all kinds', '\u00a0 Ana\u3000\t\u2800A. ', 'Ana A.'],
    ['control characters and escapes', 'A\u0000na\u001b[31m\u009b', 'Ana[31m'],
    ['bidi overrides and isolates', '\u202eana\u202c \u2066b\u2069\u200f', 'ana b'],
    ['zero-width characters', 'A\u200bn\u200da\ufeff\u2060\u034f\u00ad', 'Ana'],
    ['variation selectors and tags', 'A\ufe0fn\u{e0041}a', 'Ana'],
    ['half of a surrogate pair', 'A\ud83dna\udd11', 'Ana'],
  ])('is shown without %s', (_, text, clean) => {
    expect(shown(text)).toBe(clean)
  })

  it('keeps at most four combining marks per character, and none before the first character', () => {
    expect(shown(`\u0301\u0301Z\u0301${'\u0316'.repeat(511)}a`)).toBe('Z\u0301\u0316\u0316\u0316a')
  })

  it.each(['Nguyễn Thị'.normalize('NFD'), 'Žižek 大', 'محمد', 'שָׁלוֹם', 'สมชาย', '🔑'])(
    'is shown unchanged: %s',
    (name) => {
      expect(shown(name)).toBe(name)
    },
  )

  it('is cut at the given length, but never within a character', () => {
    expect(shown('🔑'.repeat(20))).toBe('🔑'.repeat(20))
    expect(shown('🔑'.repeat(21))).toBe(`${'🔑'.repeat(19)}…`)
  })

  it('is not read beyond its first 4,096 characters', () => {
    expect(shown(`${'\u200b'.repeat(4_096)}x`)).toBe('')
  })
})

it('SECURITY: a message for the terminal loses its control characters, and keeps all other text', () => {
  expect(forTerminal('a\x1b[31mb\x9bc\u202ed\u2066e\u200ff\u2028g\ud800h\x7f\r')).toBe('a?[31mb?c?d?e?f?g?h??')
  expect(forTerminal('Ärger: 数据 → 🔑\n')).toBe('Ärger: 数据 → 🔑\n')
})
