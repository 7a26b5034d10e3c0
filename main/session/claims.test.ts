import { describe, expect, it } from 'vitest'
import { accessToken } from '../base/secret.ts'
import { decodeClaims, nameIn, withIdentity } from './claims.ts'

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const jwt = (claims: unknown) => accessToken(`${part({ alg: 'none' })}.${part(claims)}.signature`)

describe('claims of an access token', () => {
  it('include exp, iat, sub and a display name', () => {
    expect(decodeClaims(jwt({ exp: 2, iat: 1, sub: 's', name: 'Ana A', preferred_username: 'ana', more: {} }))).toEqual(
      {
        exp: 2,
        iat: 1,
        sub: 's',
        name: 'Ana A',
        username: 'ana',
      },
    )
  })

  it('use preferred_username as the display name if there is no name', () => {
    expect(decodeClaims(jwt({ preferred_username: 'ana' }))).toEqual({ name: 'ana', username: 'ana' })
  })

  it('are read as UTF-8', () => {
    expect(decodeClaims(jwt({ name: 'Ana Žižek 大' }))).toEqual({ name: 'Ana Žižek 大' })
  })

  it('have a cleaned and shortened name, but an unchanged sub', () => {
    const dirty = '\u202eAna\n\u001b[1m\u200b'
    expect(decodeClaims(jwt({ name: dirty, sub: dirty }))).toEqual({ name: 'Ana [1m', sub: dirty })
    expect(decodeClaims(jwt({ name: 'x'.repeat(101) }))).toEqual({ name: `${'x'.repeat(99)}…` })
  })

  it('use preferred_username if the name is invisible', () => {
    expect(decodeClaims(jwt({ name: '\u202e\u200b ', preferred_username: 'ana' }))).toEqual({
      name: 'ana',
      username: 'ana',
    })
  })

  it('are read from a JWT with padding, as some libraries make it', () => {
    const padded = Buffer.from(JSON.stringify({ exp: 5, sub: 'ÿ?>' })).toString('base64')
    expect(padded).toMatch(/=$/)
    for (const payload of [padded, padded.replaceAll('+', '-').replaceAll('/', '_')]) {
      expect(decodeClaims(accessToken(`e30=.${payload}.c2ln==`))).toEqual({ exp: 5, sub: 'ÿ?>' })
    }
  })

  it.each([
    ['opaque', 'vF9dft4qmT'],
    ['empty', ''],
    ['of two parts', `${part({})}.${part({ exp: 1 })}`],
    ['of four parts', `a.${part({ exp: 1 })}.b.c`],
    ['of garbage', 'a.%%%.c'],
    ['of incomplete JSON', `a.${part('{"exp":')}.c`],
    ['of an array', `a.${part([1])}.c`],
    ['of null', `a.${part('null')}.c`],
    ['of a number', `a.${part('7')}.c`],
  ])('are empty for a token %s, without an error', (_, token) => {
    expect(decodeClaims(accessToken(token))).toEqual({})
  })

  it.each([
    ['exp as words', { exp: 'tomorrow' }],
    ['exp as an empty text', { exp: '' }],
    ['exp null', { exp: null }],
    ['exp 0', { exp: 0 }],
    ['exp below 0', { exp: -5 }],
    ['exp as an infinite number', '{"exp":1e999}'],
    ['iat as an object', { iat: {} }],
    ['sub as a number', { sub: 7 }],
    ['sub empty', { sub: '' }],
    ['name null', { name: null }],
    ['name of 513 characters', { name: 'x'.repeat(513) }],
    ['exp in __proto__', '{"__proto__":{"exp":5}}'],
  ])('omit a claim of the wrong type: %s', (_, claims) => {
    expect(decodeClaims(jwt(claims))).toEqual({})
  })

  it.each([
    ['a text', '1700000000', 1_700_000_000],
    ['a text with a fraction', '1700000000.5', 1_700_000_000.5],
    ['milliseconds', 1_700_000_000_000, 1_700_000_000],
    ['milliseconds as a text', '1700000000000', 1_700_000_000],
    ['microseconds', 1_700_000_000_000_000, 1_700_000_000],
  ])('include a time that the issuer sends as %s', (_, time, seconds) => {
    expect(decodeClaims(jwt({ exp: time, iat: time }))).toEqual({ exp: seconds, iat: seconds })
  })

  it('include valid claims next to an invalid one', () => {
    expect(decodeClaims(jwt({ exp: 'soon', iat: 3, sub: 's' }))).toEqual({ iat: 3, sub: 's' })
  })
})

it.each([
  [{ preferred_username: 'ana', name: 'Ana Duarte', email: 'ana@example.com', sub: 's' }, 'ana'],
  [{ name: 'Ana Duarte', email: 'ana@example.com', sub: 's' }, 'Ana Duarte'],
  [{ email: 'ana@example.com', sub: 's' }, 'ana@example.com'],
  [{ sub: '\u202es' }, 's'],
  [{ name: '', email: null, sub: '\u200b' }, ''],
  [{}, ''],
])('the tokens call the user by the best name that they have: %j', (identity, expected) => {
  expect(nameIn(withIdentity({}, identity))).toBe(expected)
})
