import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type CallInput, type CallName, calls } from './calls.ts'

const issueOf = (schema: v.GenericSchema, input: unknown): string | undefined => {
  const parsed = v.safeParse(schema, input)
  return parsed.success ? undefined : parsed.issues[0].message
}

describe('passwords in a password change', () => {
  const issue = (password: unknown) => issueOf(calls.changePassword, { currentPassword: 'a', password })

  test.each(['a', ' spaces stay ', 'schöner grüner Schlüssel', '🔑', ':', 'x'.repeat(4096)])(
    '%j is accepted as a new password',
    (password) => {
      expect(issue(password)).toBeUndefined()
    },
  )

  test.each([
    ['', 'empty'],
    ['x'.repeat(4097), 'tooLong'],
    ['a\tb', 'inexpressible'],
    ['a\nb', 'inexpressible'],
    ['a\u0000b', 'inexpressible'],
    ['a\u0085b', 'inexpressible'],
    ['a\ud83d', 'inexpressible'],
  ])('%j is refused as a new password, because nobody could sign in with it', (password, cause) => {
    expect(issue(password)).toBe(cause)
  })

  test('SECURITY: other fields and other types are refused', () => {
    expect(issueOf(calls.changePassword, { currentPassword: 'a', password: 'a', username: 'ana' })).toBeDefined()
    expect(issue(['a'])).toBeDefined()
    expect(issueOf(calls.changePassword, undefined)).toBeDefined()
  })

  test('SECURITY: the current password is required, and must be one that Basic credentials can carry', () => {
    const current = (currentPassword: unknown) => issueOf(calls.changePassword, { currentPassword, password: 'a' })
    expect(issueOf(calls.changePassword, { password: 'a' })).toBeDefined()
    expect(current(['a'])).toBeDefined()
    for (const wrong of ['', 'x'.repeat(4097), 'a\tb', 'a\ud83d']) expect(current(wrong)).toBe('currentPassword')
    for (const right of [' a:b ', 'schöner grüner Schlüssel', 'x'.repeat(4096)]) expect(current(right)).toBeUndefined()
  })
})

describe('a sign-in', () => {
  const issue = (grant: string, username: string, password = 'a') =>
    issueOf(calls.signIn, { grant, username, password })

  test('a username with a colon is refused for Basic credentials, but not for an identity provider', () => {
    expect(issue('password', 'ana:finance')).toBe('inexpressible')
    expect(issue('passwordRealm', 'ana:finance')).toBeUndefined()
    expect(issue('password', 'ana', 'a:b')).toBeUndefined()
  })

  test.each(['a\tb', 'a\u007fb', 'a\ud83d'])('%j is refused as a username and as a password', (text) => {
    expect(issue('password', text)).toBe('inexpressible')
    expect(issue('password', 'ana', text)).toBe('inexpressible')
  })
})

test.each(['userConnections', 'updateFeed', 'baseAddress', 'constructor', ['agent'], undefined])(
  'SECURITY: the page can set only the switches in Settings, not %j',
  (name) => {
    expect(v.is(calls.setSwitch, { name, enabled: true })).toBe(false)
  },
)

const INPUTS: { readonly [N in CallName as CallInput<N> extends undefined ? never : N]: CallInput<N> } = {
  saveSettings: { realm: 'Analysts', tryAddress: true },
  connect: { baseAddress: 'https://data.example.com', anyway: false },
  checkSettings: { realm: 'Analysts' },
  showConnection: { name: 'staging' },
  addConnection: { name: 'staging', baseAddress: 'https://staging.example.com', tryAddress: true },
  removeConnection: { name: 'staging' },
  signIn: { grant: 'password', username: 'ana', password: 'a' },
  answerChallenge: { kind: 'code', challenge: '1', code: '123456' },
  showRecoveryCode: { challenge: '1' },
  reopenBrowser: { challenge: '1' },
  changePassword: { currentPassword: 'a', password: 'b' },
  setSwitch: { name: 'agent', enabled: true },
  checkComputer: { tried: true },
  saveProxyCredentials: { proxy: 'http://proxy:8080', username: 'ana', password: 'a' },
}

const arrays = fc.oneof(fc.constant([]), fc.array(fc.anything()))

test.each(Object.entries(calls))('SECURITY: no call accepts an array or an unknown field: %s', (name, schema) => {
  const input = name in INPUTS ? INPUTS[name as keyof typeof INPUTS] : undefined
  expect(v.safeParse(schema, input).success).toBe(true)
  expect(v.safeParse(schema, { ...input, source: 'policy' }).success).toBe(false)
  // Arrays that have the right keys are refused, too.
  const withInput = arrays.map((array) => Object.assign(array, input))
  fc.assert(fc.property(fc.oneof(arrays, withInput), (array) => v.safeParse(schema, array).success === false))
})
