import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type CallInput, type CallName, calls } from './calls.ts'
import type { ChallengeKind } from './challenges.ts'

const issueOf = (schema: v.GenericSchema, input: unknown): string | undefined =>
  v.safeParse(schema, input).issues?.[0]?.message

test.each([
  [' spaces stay: 🔑', undefined],
  ['x'.repeat(4096), undefined],
  ['', 'empty'],
  ['x'.repeat(4097), 'tooLong'],
  ['a\tb', 'inexpressible'],
  ['a\ud83d', 'inexpressible'],
])('passwords that Basic credentials can’t carry are refused: %j', (password, cause) => {
  expect(issueOf(calls.changePassword, { currentPassword: 'a', password })).toBe(cause)
  const current = cause && 'currentPassword'
  expect(issueOf(calls.changePassword, { currentPassword: password, password: 'a' })).toBe(current)
})

test('a username with a colon is refused if it is sent as Basic credentials, which end it at the first colon', () => {
  const issueFor = (grant: string) => issueOf(calls.signIn, { grant, username: 'a:b', password: 'a:b' })
  expect(['password', 'passwordRealm'].map(issueFor)).toEqual(['inexpressible', undefined])
})

test('SECURITY: a password change requires both passwords as texts, and accepts no other field', () => {
  for (const input of [
    { currentPassword: 'a', password: 'a', username: 'ana' },
    { currentPassword: 'a', password: ['a'] },
    { password: 'a' },
    undefined,
  ])
    expect(issueOf(calls.changePassword, input)).toBeDefined()
})

test.each(['userConnections', 'baseAddress', 'constructor', ['agent'], undefined])(
  'SECURITY: the page can set only the switches in Settings, not %j',
  (name) => {
    expect(v.is(calls.setSwitch, { name, enabled: true })).toBe(false)
  },
)

const ANSWER: Record<ChallengeKind, object> = {
  choose: { option: 'push|dev_1' },
  code: { code: '123 456' },
  approval: {},
  recoveryCode: { recoveryCode: 'AB12-CD34' },
  newRecoveryCode: {},
  browser: {},
}

test.each(Object.entries(ANSWER))(
  'SECURITY: the answer to the challenge %s has only its own fields, each required and limited in length',
  (kind, answer) => {
    const input = { kind, challenge: '1', ...answer }
    const issue = (given: object) => issueOf(calls.answerChallenge, given)
    expect(v.parse(calls.answerChallenge, input)).toEqual(input)
    expect(issue({ ...input, challenge: '' })).toBe('empty')
    expect(issue({ ...input, grant: 'password' })).toBeDefined()
    expect(issue({ ...input, kind: 'toString' })).toBeDefined()
    for (const name of Object.keys(answer)) {
      expect(issue({ ...input, [name]: '' })).toBe('empty')
      expect(issue({ ...input, [name]: 'x'.repeat(257) })).toBe('tooLong')
      expect(issue({ kind, challenge: '1' })).toBeDefined()
    }
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
  const withInput = arrays.map((array) => Object.assign(array, input))
  fc.assert(fc.property(fc.oneof(arrays, withInput), (array) => v.safeParse(schema, array).success === false))
})
