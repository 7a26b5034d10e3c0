import { describe, expect, it } from 'vitest'
import { password, refreshToken } from '../session/secret.ts'
import { plainText } from './plain-text.ts'

describe('external text', () => {
  it.each([
    ['line\r\nbreaks\tand  spaces ', 'line breaks and spaces'],
    ['\u0007bell\u001b[31m', 'bell[31m'],
    ['safe\u202egnp.exe', 'safegnp.exe'],
    ['\u2066isolated\u2069 a\u200bb', 'isolated ab'],
    ['next\u2028line', 'next line'],
    ['half \ud83d pair', 'half pair'],
    ['whole 🔑 pair', 'whole 🔑 pair'],
    ['<b>bold</b>', '<b>bold</b>'],
  ])('%j is shown as %j', (text, shown) => {
    expect(plainText(text, [])).toBe(shown)
  })

  it('has at most 300 characters, and is never cut within a character', () => {
    expect(plainText('x'.repeat(300), [])).toHaveLength(300)
    expect(plainText('x'.repeat(301), [])).toBe(`${'x'.repeat(299)}…`)
    expect(plainText(`${'x'.repeat(298)}🔑🔑`, [])).toBe(`${'x'.repeat(298)}🔑🔑`)
    expect(plainText(`${'x'.repeat(299)}🔑🔑`, [])).toBe(`${'x'.repeat(299)}…`)
  })

  const secret = password('hunter2 & söhne')

  it.each([
    ['as sent', 'hunter2 & söhne'],
    ['in an address', encodeURIComponent('hunter2 & söhne')],
    ['in base64', Buffer.from('hunter2 & söhne').toString('base64')],
    ['with other spaces', 'hunter2 \n & söhne'],
    ['with an invisible character', 'hun\u200bter2 & söhne'],
  ])('never contains a secret of the request: %s', (_how, form) => {
    expect(plainText(`No: ${form}!`, [secret])).toBe('No: [secret]!')
  })

  it('never contains a part of a secret, even if the secret goes beyond the limit of 300 characters', () => {
    const long = refreshToken('r'.repeat(500))
    expect(plainText(`${'x'.repeat(250)} ${long.reveal()}`, [long])).toBe(`${'x'.repeat(250)} [secret]`)
  })

  it('never contains the beginning of a secret, even if the text was cut within the secret', () => {
    const long = refreshToken('r'.repeat(5_000))
    expect(plainText(`No: ${long.reveal()}. Sign in again.`, [long])).toBe('No: [secret]')
    const hidden = `${'\u200b'.repeat(4_000)}${Buffer.from(long.reveal()).toString('base64')}`
    expect(plainText(hidden, [long])).toBe('[secret]')
  })

  it('is dropped if it contains a secret that is too short to be replaced safely', () => {
    expect(plainText('a bad password', [password('ad')])).toBe('')
    expect(plainText('not good', [password('ad')])).toBe('not good')
  })

  it('never contains a token of another account', () => {
    expect(plainText('spent: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2ln.', [])).toBe('spent: [secret].')
  })
})
