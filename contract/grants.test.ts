import * as v from 'valibot'
import { expect, test } from 'vitest'
import { GRANTS, signInInput } from './grants.ts'

const parse = (input: unknown) => v.safeParse(signInInput([GRANTS.password]), input)

test.each(['ana ', '\u200bana\u00a0', '\ufeffana\u2060', 'ana\t', '\u202aana\u202c', 'ana\u00ad', '\u061cana'])(
  'a username is trimmed, but never a password: %j',
  (username) => {
    const given = { grant: 'password', username, password: ' a b\u00a0' }
    expect(parse(given).output).toEqual({ ...given, username: 'ana' })
  },
)

test.each([' \u200b', ''])('a username of nothing but spaces is missing: %j', (username) => {
  expect(parse({ grant: 'password', username, password: 'a' }).issues?.[0].message).toBe('empty')
})

test('SECURITY: missing fields and unknown grants are refused', () => {
  expect(parse({ grant: 'password', username: 'ana' }).success).toBe(false)
  expect(parse({ grant: 'passwordRealm', username: 'ana', password: 'a' }).success).toBe(false)
  expect(parse({ username: 'ana', password: 'a' }).success).toBe(false)
})
