import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { GRANTS, type GrantDescription, signInInput } from './grants.ts'

const made: GrantDescription = {
  name: 'made',
  issuer: 'identityProvider',
  fields: [{ name: 'username', kind: 'text', autocomplete: 'username', maxLength: 3, sentAs: 'basicUsername' }],
  capabilities: { refresh: false, revoke: false, changePassword: false },
}
const parse = (input: unknown) => v.safeParse(signInInput([GRANTS.password, made]), input)
const issueOf = (input: unknown) => parse(input).issues?.[0]?.message

describe('the parser of a sign-in', () => {
  test('accepts the fields of the grant', () => {
    const withPassword = { grant: 'password', username: 'ana', password: 'a' }
    expect(parse(withPassword).output).toEqual(withPassword)
    expect(parse({ grant: 'made', username: 'ana' }).output).toEqual({ grant: 'made', username: 'ana' })
  })

  test.each([
    ['', 'empty'],
    ['four', 'tooLong'],
    ['a:b', 'inexpressible'],
    ['a\tb', 'inexpressible'],
  ])('refuses a value that its field can’t hold: %j', (username, issue) => {
    expect(issueOf({ grant: 'made', username })).toBe(issue)
  })

  test.each([
    'ana ',
    ' ana',
    'ana\u00a0',
    'ana\u200b',
    '\ufeffana\u2060',
    'ana\t',
    '\u202aana\u202c',
    'ana\u200e',
    'ana\u00ad',
    '\u061cana',
  ])('trims a username, but never a password: %j', (pasted) => {
    const password = ' a b\u00a0'
    expect(parse({ grant: 'password', username: pasted, password }).output).toEqual({
      grant: 'password',
      username: 'ana',
      password,
    })
  })

  test('treats a username of nothing but spaces as missing', () => {
    expect(issueOf({ grant: 'made', username: ' \u200b' })).toBe('empty')
  })

  test('SECURITY: extra fields, missing fields and unknown grants are refused', () => {
    expect(issueOf({ grant: 'made', username: 'ana', password: 'a' })).toBeDefined()
    expect(issueOf({ grant: 'password', username: 'ana' })).toBeDefined()
    expect(issueOf({ grant: GRANTS.passwordRealm.name, username: 'ana', password: 'a' })).toBeDefined()
    expect(issueOf({ username: 'ana', password: 'a' })).toBeDefined()
  })
})
