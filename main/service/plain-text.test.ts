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

  it('never contains part of a secret that is cut off', () => {
    const long = refreshToken('r'.repeat(5_000))
    expect(plainText(`${'x'.repeat(250)} ${long.reveal().slice(0, 4_500)}`, [long])).toBe(`${'x'.repeat(250)} [secret]`)
    const hidden = `${'\u200b'.repeat(4_000)}${Buffer.from(long.reveal()).toString('base64')}`
    expect(plainText(hidden, [long])).toBe('[secret]')
  })

  it('is dropped if a secret in it is too short to be replaced safely', () => {
    expect(plainText('a bad password', [password('ad')])).toBe('')
    expect(plainText('not good', [password('ad')])).toBe('not good')
  })

  it('keeps a provider’s usual words, even if a secret is one of them, but not longer or encoded secrets', () => {
    expect(plainText('Wrong email or password.', [password('password')])).toBe('Wrong email or password.')
    expect(plainText('invalid_grant', [password('invalid_grant')])).toBe('invalid_grant')
    expect(plainText('wrong: password1', [password('password1')])).toBe('wrong: [secret]')
    expect(plainText('wrong: Basic cGFzc3dvcmQ=', [password('password')])).toBe('wrong: Basic [secret]')
  })

  it('never contains a token of another account', () => {
    expect(plainText('spent: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2ln.', [])).toBe('spent: [secret].')
  })
})
