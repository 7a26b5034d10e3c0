import { describe, expect, it } from 'vitest'
import { accessToken, refreshToken } from '../base/secret.ts'
import { decodeClaims, lifetimeOf, nameIn, receive, withIdentity } from './access-token.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const WALL = 1_700_000_000_000
const at = (ms: number) => ms / SECOND

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const jwt = (claims: unknown) => accessToken(`${part({ alg: 'none' })}.${part(claims)}.signature`)

describe('claims of an access token', () => {
  it('include exp, iat, sub and the user’s names, read as UTF-8', () => {
    const all = { exp: 2, iat: 1, sub: 's', name: 'Ana Žižek 大', preferred_username: 'ana', more: {} }
    const { preferred_username: username, more, ...claims } = all
    expect(decodeClaims(jwt(all))).toEqual({ ...claims, username })
    expect(decodeClaims(jwt({ preferred_username: 'ana' }))).toEqual({ name: 'ana', username: 'ana' })
  })

  it('have a cleaned and shortened name, but an unchanged sub', () => {
    const dirty = '\u202eAna\n\u001b[1m\u200b'
    expect(decodeClaims(jwt({ name: dirty, sub: dirty }))).toEqual({ name: 'Ana [1m', sub: dirty })
    expect(decodeClaims(jwt({ name: 'x'.repeat(101) }))).toEqual({ name: `${'x'.repeat(99)}…` })
  })

  it('are read from a JWT with padding, which some libraries add', () => {
    const padded = Buffer.from(JSON.stringify({ exp: 5, sub: 'ÿ?>' })).toString('base64')
    expect(padded).toMatch(/=$/)
    for (const payload of [padded, padded.replaceAll('+', '-').replaceAll('/', '_')]) {
      expect(decodeClaims(accessToken(`e30=.${payload}.c2ln==`))).toEqual({ exp: 5, sub: 'ÿ?>' })
    }
  })

  it.each([
    'vF9dft4qmT',
    '',
    `${part({})}.${part({ exp: 1 })}`,
    `a.${part({ exp: 1 })}.b.c`,
    'a.%%%.c',
    `a.${part('null')}.c`,
  ])('are empty, without an error, for a token that isn’t a JWT: %s', (token) => {
    expect(decodeClaims(accessToken(token))).toEqual({})
  })

  it.each([
    '{"exp":"soon"}',
    '{"exp":null}',
    '{"exp":0}',
    '{"exp":1e999}',
    '{"sub":7}',
    '{"name":"\u202e"}',
    '{"__proto__":{"exp":5}}',
  ])('leave out a claim of the wrong type: %s', (claims) => {
    expect(decodeClaims(jwt(claims))).toEqual({})
    expect(decodeClaims(jwt({ iat: 3, ...JSON.parse(claims) }))).toEqual({ iat: 3 })
  })

  it.each(['1700000000', '1700000000.0', 1_700_000_000_000, '1700000000000', 1_700_000_000_000_000])(
    'include a time sent as text or in smaller units: %j',
    (time) => {
      expect(decodeClaims(jwt({ exp: time, iat: time }))).toEqual({ exp: 1_700_000_000, iat: 1_700_000_000 })
    },
  )
})

it('the user’s name is the first of username, name, email address and subject', () => {
  const names = { preferred_username: 'ana', name: 'Ana Duarte', email: 'ana@example.com', sub: '\u202es' }
  const { preferred_username, name, email, ...subject } = names
  const identities = [names, { name, email, ...subject }, { email, ...subject }, subject, { name: '', sub: '\u200b' }]
  const found = identities.map((identity) => nameIn(withIdentity({}, identity)))
  expect(found).toEqual(['ana', 'Ana Duarte', 'ana@example.com', 's', ''])
})

describe('the lifetime of an access token', () => {
  // biome-ignore format: a row a line reads as a table
  const table: readonly (readonly [string, Parameters<typeof lifetimeOf>, number])[] = [
    ['is exp - iat', [{ exp: at(WALL + HOUR), iat: at(WALL) }, {}, WALL], HOUR],
    ['is exp - iat if the Date is earlier than iat, whatever expires_in says', [{ exp: at(WALL + HOUR), iat: at(WALL) }, { serverTime: WALL - HOUR, expiresIn: 5 }, WALL], HOUR],
    ['is exp minus the Date if the token was issued earlier', [{ exp: at(WALL + 40 * SECOND), iat: at(WALL - 50 * MINUTE) }, { serverTime: WALL }, WALL - 90 * HOUR], 40 * SECOND],
    ['is one second if the token has expired by the Date', [{ exp: at(WALL - SECOND), iat: at(WALL - HOUR) }, { serverTime: WALL }, WALL - HOUR], SECOND],
    ['is expires_in without a Date, even if the token was issued earlier', [{ exp: at(WALL + 40 * SECOND), iat: at(WALL - 50 * MINUTE) }, { expiresIn: 40 }, WALL - 90 * HOUR], 40 * SECOND],
    ['is never more than exp - iat, whatever expires_in says', [{ exp: at(WALL + HOUR), iat: at(WALL) }, { expiresIn: 90_000 }, WALL], HOUR],
    ['is exp minus local time without Date and expires_in if the token was issued earlier', [{ exp: at(WALL + 40 * SECOND), iat: at(WALL - 50 * MINUTE) }, {}, WALL], 40 * SECOND],
    ['is exp - iat if less than 30 s are left by the desktop clock', [{ exp: at(WALL + HOUR), iat: at(WALL) }, {}, WALL + HOUR - 10 * SECOND], HOUR],
    ['is 5 min if exp is a duration instead of a time', [{ exp: 3600 }, { serverTime: WALL }, WALL], 5 * MINUTE],
    ["without iat is exp minus the response's Date", [{ exp: at(WALL + HOUR) }, { serverTime: WALL + MINUTE }, WALL - 9 * HOUR], HOUR - MINUTE],
    ['without exp is expires_in', [{ iat: at(WALL) }, { expiresIn: 90 }, WALL], 90 * SECOND],
    ['is 5 min if exp is before iat', [{ exp: at(WALL), iat: at(WALL + HOUR) }, {}, WALL], 5 * MINUTE],
    ['is 5 min if expires_in is 0', [{}, { expiresIn: 0 }, WALL], 5 * MINUTE],
    ['is at most a year', [{ exp: WALL, iat: at(WALL) }, {}, WALL], 366 * 24 * HOUR],
    ['is at least a second', [{ exp: at(WALL) + 0.001, iat: at(WALL) }, {}, WALL], SECOND],
  ]
  it.each(table)('%s', (_, args, lifetime) => {
    expect(lifetimeOf(...args)).toBeCloseTo(lifetime, 6)
  })
})

it('the end of the session is what the response says, and otherwise the expiry of a refresh token that is a JWT', () => {
  const endOf = (token: string, answer: object) =>
    receive({ accessToken: jwt({}), refreshToken: refreshToken(token), ...answer }, { now: () => 5, wall: () => WALL })
      .sessionEndsAt
  const token = jwt({ exp: at(WALL + HOUR) }).reveal()
  expect(endOf(token, {})).toBe(WALL + HOUR)
  expect(endOf(token, { serverTime: WALL + MINUTE })).toBe(WALL + HOUR - MINUTE)
  expect(endOf(token, { refreshExpiresIn: 60 })).toBe(WALL + MINUTE)
  expect(endOf('opaque.refresh.token', {})).toBeUndefined()
})
