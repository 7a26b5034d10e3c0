import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressOfRevocations,
  readRevocationsEntry,
  readSessionEntry,
  revocationsEntryName,
  sessionEntryName,
  writeRevocationsEntry,
  writeSessionEntry,
} from './entry.ts'
import { entryText, refreshToken } from './secret.ts'

describe('the session entry', () => {
  it('is {version, kind, username, sub, issuer, refreshToken}', () => {
    const issuer = 'https://login.example'
    const text = writeSessionEntry({
      method: 'sso',
      username: 'ana',
      sub: 's',
      issuer,
      refreshToken: refreshToken('r'),
    })
    expect(JSON.parse(text.reveal())).toEqual({
      version: 1,
      kind: 'sso',
      username: 'ana',
      sub: 's',
      issuer,
      refreshToken: 'r',
    })
  })

  it('reads as it was written, whatever the words in it', () => {
    const words = fc.string({ unit: 'grapheme' })
    const token = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(words, fc.option(words, { nil: undefined }), token, (username, sub, value) => {
        const entry = {
          method: 'password' as const,
          username,
          ...(sub === undefined ? {} : { sub }),
          refreshToken: refreshToken(value),
        }
        const read = readSessionEntry(writeSessionEntry(entry))
        expect(read?.refreshToken.reveal()).toBe(value)
        expect({ ...read, refreshToken: 0 }).toEqual({ ...entry, refreshToken: 0 })
      }),
    )
  })

  const good = { version: 1, kind: 'password', username: 'ana', refreshToken: 'r' }
  it.each([
    ['not JSON', 'refresh'],
    ['half of one', JSON.stringify(good).slice(0, -5)],
    ['null', 'null'],
    ['a list', '[]'],
    ['of another version', JSON.stringify({ ...good, version: 2 })],
    ['of an unknown kind', JSON.stringify({ ...good, kind: 'device' })],
    ['without a token', JSON.stringify({ ...good, refreshToken: undefined })],
    ['with an empty token', JSON.stringify({ ...good, refreshToken: '' })],
    ['with a token of a wrong type', JSON.stringify({ ...good, refreshToken: 7 })],
    ['without a username', JSON.stringify({ ...good, username: undefined })],
    ['pending revocations', writeRevocationsEntry([refreshToken('r')]).reveal()],
  ])('is nothing where it is %s', (_, text) => {
    expect(readSessionEntry(entryText(text))).toBeUndefined()
  })
})

describe('the entry of pending revocations', () => {
  it('reads as it was written', () => {
    const read = readRevocationsEntry(writeRevocationsEntry([refreshToken('a'), refreshToken('b')]))
    expect(read?.map((token) => token.reveal())).toEqual(['a', 'b'])
  })

  it.each(['', '{}', '{"version":1,"refreshTokens":[""]}', '{"version":1,"refreshTokens":"a"}'])(
    'is nothing where it is %s',
    (text) => {
      expect(readRevocationsEntry(entryText(text))).toBeUndefined()
    },
  )

  it("has a name of its own, which is no other connection's session", () => {
    const name = revocationsEntryName('https://data.example')
    expect(name).not.toBe(sessionEntryName('https://data.example'))
    // What an address can never hold.
    expect(name).toContain(' ')
  })

  it('has a name that tells the address', () => {
    expect(addressOfRevocations(revocationsEntryName('https://data.example/base'))).toBe('https://data.example/base')
    expect(addressOfRevocations(sessionEntryName('https://data.example'))).toBeUndefined()
    expect(addressOfRevocations('https://data.example pending')).toBeUndefined()
  })
})
