import { describe, expect, it } from 'vitest'
import { password, refreshToken } from '../base/secret.ts'
import { plainText } from './plain-text.ts'

describe('external text', () => {
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

  it('never contains part of a secret that crosses the limit of 300 characters', () => {
    const long = refreshToken('r'.repeat(500))
    expect(plainText(`${'x'.repeat(250)} ${long.reveal()}`, [long])).toBe(`${'x'.repeat(250)} [secret]`)
  })

  it('never contains the beginning of a secret, even if the text ends within it', () => {
    const long = refreshToken('r'.repeat(5_000))
    expect(plainText(`No: ${long.reveal()}. Sign in again.`, [long])).toBe('No: [secret]')
    const hidden = `${'\u200b'.repeat(4_000)}${Buffer.from(long.reveal()).toString('base64')}`
    expect(plainText(hidden, [long])).toBe('[secret]')
  })

  it('is dropped if a secret in it is too short to be replaced safely', () => {
    expect(plainText('a bad password', [password('ad')])).toBe('')
    expect(plainText('not good', [password('ad')])).toBe('not good')
  })

  it.each([
    ['Wrong email or password.', 'password'],
    ['invalid_grant', 'invalid'],
    ['invalid_grant', 'invalid_grant'],
    ['Wrong email or password.', 'or'],
  ])('keeps a provider’s usual words, even if a secret is one of them: %s', (text, secret) => {
    expect(plainText(text, [password(secret)])).toBe(text)
  })

  it('never contains a secret, even if the secret consists of usual words', () => {
    expect(plainText('wrong: password1', [password('password1')])).toBe('wrong: [secret]')
    expect(plainText('wrong: Basic cGFzc3dvcmQ=', [password('password')])).toBe('wrong: Basic [secret]')
  })

  it('never contains a token of another account', () => {
    expect(plainText('spent: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2ln.', [])).toBe('spent: [secret].')
  })
})
