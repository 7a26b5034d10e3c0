import { describe, expect, it } from 'vitest'
import { decodeClaims } from './claims.ts'
import { accessToken } from './secret.ts'

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const jwt = (claims: unknown) => accessToken(`${part({ alg: 'none' })}.${part(claims)}.signature`)

describe('a token is only read for its claims', () => {
  it('takes exp, iat, sub and the name to greet with', () => {
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

  it('greets with preferred_username if there is no name', () => {
    expect(decodeClaims(jwt({ preferred_username: 'ana' }))).toEqual({ name: 'ana', username: 'ana' })
  })

  it('reads UTF-8', () => {
    expect(decodeClaims(jwt({ name: 'Ana Žižek 大' }))).toEqual({ name: 'Ana Žižek 大' })
  })

  it('cleans and cuts the name, and takes sub as it is', () => {
    const dirty = '\u202eAna\n\u001b[1m\u200b'
    expect(decodeClaims(jwt({ name: dirty, sub: dirty }))).toEqual({ name: 'Ana [1m', sub: dirty })
    expect(decodeClaims(jwt({ name: 'x'.repeat(101) }))).toEqual({ name: `${'x'.repeat(99)}…` })
  })

  it('greets with preferred_username if the name is invisible', () => {
    expect(decodeClaims(jwt({ name: '\u202e\u200b ', preferred_username: 'ana' }))).toEqual({
      name: 'ana',
      username: 'ana',
    })
  })

  it.each([
    ['opaque', 'vF9dft4qmT'],
    ['empty', ''],
    ['of two parts', `${part({})}.${part({ exp: 1 })}`],
    ['of four parts', `a.${part({ exp: 1 })}.b.c`],
    ['of garbage', 'a.%%%.c'],
    ['of JSON that breaks off', `a.${part('{"exp":')}.c`],
    ['of an array', `a.${part([1])}.c`],
    ['of null', `a.${part('null')}.c`],
    ['of a number', `a.${part('7')}.c`],
  ])('a token %s has no claims, and is no error', (_, token) => {
    expect(decodeClaims(accessToken(token))).toEqual({})
  })

  it.each([
    ['exp as text', { exp: '5' }],
    ['exp below 0', { exp: -5 }],
    ['exp beyond numbers', '{"exp":1e999}'],
    ['iat as an object', { iat: {} }],
    ['sub as a number', { sub: 7 }],
    ['sub empty', { sub: '' }],
    ['name null', { name: null }],
    ['name of 513 characters', { name: 'x'.repeat(513) }],
    ['prototype tricks', '{"__proto__":{"exp":5}}'],
  ])('a claim of a wrong kind is an absent one: %s', (_, claims) => {
    expect(decodeClaims(jwt(claims))).toEqual({})
  })

  it('keeps valid claims next to an invalid one', () => {
    expect(decodeClaims(jwt({ exp: 'soon', iat: 3, sub: 's' }))).toEqual({ iat: 3, sub: 's' })
  })
})
