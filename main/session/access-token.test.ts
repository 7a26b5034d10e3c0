import fc from 'fast-check'
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

  it('use preferred_username if the claim name has only invisible characters', () => {
    expect(decodeClaims(jwt({ name: '\u202e\u200b ', preferred_username: 'ana' }))).toEqual({
      name: 'ana',
      username: 'ana',
    })
  })

  it('are read from a JWT with padding, which some libraries add', () => {
    const padded = Buffer.from(JSON.stringify({ exp: 5, sub: 'ÿ?>' })).toString('base64')
    expect(padded).toMatch(/=$/)
    for (const payload of [padded, padded.replaceAll('+', '-').replaceAll('/', '_')]) {
      expect(decodeClaims(accessToken(`e30=.${payload}.c2ln==`))).toEqual({ exp: 5, sub: 'ÿ?>' })
    }
  })

  it.each([
    ['that is opaque', 'vF9dft4qmT'],
    ['that is empty', ''],
    ['of two parts', `${part({})}.${part({ exp: 1 })}`],
    ['of four parts', `a.${part({ exp: 1 })}.b.c`],
    ['of garbage', 'a.%%%.c'],
    ['of incomplete JSON', `a.${part('{"exp":')}.c`],
    ['of an array', `a.${part([1])}.c`],
    ['of null', `a.${part('null')}.c`],
    ['of a number', `a.${part('7')}.c`],
  ])('are empty, without an error, for a token %s', (_, token) => {
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
  ])('leave out a claim of the wrong type: %s', (_, claims) => {
    expect(decodeClaims(jwt(claims))).toEqual({})
  })

  it.each([
    ['a text', '1700000000', 1_700_000_000],
    ['a text with a fraction', '1700000000.5', 1_700_000_000.5],
    ['milliseconds', 1_700_000_000_000, 1_700_000_000],
    ['milliseconds as a text', '1700000000000', 1_700_000_000],
    ['microseconds', 1_700_000_000_000_000, 1_700_000_000],
  ])('include a time sent as %s', (_, time, seconds) => {
    expect(decodeClaims(jwt({ exp: time, iat: time }))).toEqual({ exp: seconds, iat: seconds })
  })

  it('include the valid claims of a token that has an invalid one', () => {
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
])('the user’s name is the first of username, name, email address and subject that %j has', (identity, expected) => {
  expect(nameIn(withIdentity({}, identity))).toBe(expected)
})

describe('the lifetime of an access token', () => {
  // biome-ignore format: a row a line reads as a table
  const table: readonly (readonly [string, Parameters<typeof lifetimeOf>, number])[] = [
    ['is exp - iat', [{ exp: at(WALL + HOUR), iat: at(WALL) }, {}, WALL], HOUR],
    ['is exp - iat, however wrong the desktop clock is', [{ exp: at(WALL + HOUR), iat: at(WALL) }, {}, WALL + 90 * HOUR], HOUR],
    ['is exp - iat if the Date is earlier than iat, whatever expires_in says', [{ exp: at(WALL + HOUR), iat: at(WALL) }, { serverTime: WALL - HOUR, expiresIn: 5 }, WALL], HOUR],
    ['is exp minus the Date if the token was issued earlier', [{ exp: at(WALL + 40 * SECOND), iat: at(WALL - 50 * MINUTE) }, { serverTime: WALL }, WALL - 90 * HOUR], 40 * SECOND],
    ['is one second if the token has expired by the Date', [{ exp: at(WALL - SECOND), iat: at(WALL - HOUR) }, { serverTime: WALL }, WALL - HOUR], SECOND],
    ['is one second if the token has expired by the Date and has no iat', [{ exp: at(WALL - SECOND) }, { serverTime: WALL }, WALL - HOUR], SECOND],
    ['is expires_in without a Date, even if the token was issued earlier', [{ exp: at(WALL + 40 * SECOND), iat: at(WALL - 50 * MINUTE) }, { expiresIn: 40 }, WALL - 90 * HOUR], 40 * SECOND],
    ['is never more than exp - iat, whatever expires_in says', [{ exp: at(WALL + HOUR), iat: at(WALL) }, { expiresIn: 90_000 }, WALL], HOUR],
    ['is exp minus local time without Date and expires_in if the token was issued earlier', [{ exp: at(WALL + 40 * SECOND), iat: at(WALL - 50 * MINUTE) }, {}, WALL], 40 * SECOND],
    ['is exp - iat if less than 30 s are left by the desktop clock', [{ exp: at(WALL + HOUR), iat: at(WALL) }, {}, WALL + HOUR - 10 * SECOND], HOUR],
    ['is exp - iat if the desktop clock is behind', [{ exp: at(WALL + HOUR), iat: at(WALL) }, {}, WALL - HOUR], HOUR],
    ['is exp minus the Date if exp is before iat', [{ exp: at(WALL + MINUTE), iat: at(WALL + HOUR) }, { serverTime: WALL }, WALL], MINUTE],
    ['is 5 min if exp is a duration instead of a time', [{ exp: 3600 }, { serverTime: WALL }, WALL], 5 * MINUTE],
    ['is expires_in if exp is a duration instead of a time', [{ exp: 3600 }, { serverTime: WALL, expiresIn: 600 }, WALL], 10 * MINUTE],
    ["without iat is exp minus the response's Date", [{ exp: at(WALL + HOUR) }, { serverTime: WALL + MINUTE }, WALL - 9 * HOUR], HOUR - MINUTE],
    ['without iat and Date is exp minus local time', [{ exp: at(WALL + HOUR) }, {}, WALL], HOUR],
    ['without exp is expires_in', [{ iat: at(WALL) }, { expiresIn: 90 }, WALL], 90 * SECOND],
    ['is 5 min without exp and expires_in', [{}, { serverTime: WALL }, WALL], 5 * MINUTE],
    ['is 5 min if there is only iat', [{ iat: at(WALL) }, {}, WALL], 5 * MINUTE],
    ['is 5 min if exp is before iat', [{ exp: at(WALL), iat: at(WALL + HOUR) }, {}, WALL], 5 * MINUTE],
    ['is 5 min if exp equals iat', [{ exp: at(WALL), iat: at(WALL) }, {}, WALL], 5 * MINUTE],
    ['is 5 min if exp seems long past', [{ exp: at(WALL - HOUR) }, {}, WALL], 5 * MINUTE],
    ['is 5 min if expires_in is 0', [{}, { expiresIn: 0 }, WALL], 5 * MINUTE],
    ['is 5 min if expires_in is not a number', [{}, { expiresIn: Number.NaN }, WALL], 5 * MINUTE],
    ['is at most a year', [{ exp: WALL, iat: at(WALL) }, {}, WALL], 366 * 24 * HOUR],
    ['is at least a second', [{ exp: at(WALL) + 0.001, iat: at(WALL) }, {}, WALL], SECOND],
  ]
  it.each(table)('%s', (_, args, lifetime) => {
    expect(lifetimeOf(...args)).toBeCloseTo(lifetime, 6)
  })

  it('is between a second and a year, whatever the token claims', () => {
    const maybe = fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined })
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, (exp, iat, serverTime, expiresIn) => {
        const claims = { ...(exp === undefined ? {} : { exp }), ...(iat === undefined ? {} : { iat }) }
        const answer = {
          ...(serverTime === undefined ? {} : { serverTime }),
          ...(expiresIn === undefined ? {} : { expiresIn }),
        }
        const lifetime = lifetimeOf(claims, answer, WALL)
        expect(lifetime).toBeGreaterThanOrEqual(SECOND)
        expect(lifetime).toBeLessThanOrEqual(366 * 24 * HOUR)
      }),
    )
  })
})

describe('the end of the session', () => {
  const clock = { now: () => 5, wall: () => WALL }
  it.each([
    ['is the expiry of a refresh token that is a JWT', jwt({ exp: at(WALL + HOUR) }).reveal(), {}, WALL + HOUR],
    [
      'follows the server’s clock',
      jwt({ exp: at(WALL + HOUR) }).reveal(),
      { serverTime: WALL + MINUTE },
      WALL + HOUR - MINUTE,
    ],
    [
      'is what the response says, even if the token says otherwise',
      jwt({ exp: at(WALL + HOUR) }).reveal(),
      { refreshExpiresIn: 60 },
      WALL + MINUTE,
    ],
    ['isn’t known from an opaque token', 'opaque.refresh.token', {}, undefined],
    ['isn’t known from a JWT without exp', jwt({ typ: 'Offline' }).reveal(), {}, undefined],
    ['has no limit if the response says so', jwt({ typ: 'Offline' }).reveal(), { refreshExpiresIn: 0 }, 'never'],
  ])('%s', (_, token, answer, expected) => {
    const tokens = receive({ accessToken: jwt({}), refreshToken: refreshToken(token), ...answer }, clock)
    expect(tokens.sessionEndsAt).toBe(expected)
  })
})
