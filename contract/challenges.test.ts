import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { calls } from './calls.ts'
import type { ChallengeKind } from './challenges.ts'

const issueOf = (input: unknown) => v.safeParse(calls.answerChallenge, input).issues?.[0]?.message

const ANSWER: Record<ChallengeKind, object> = {
  choose: { option: 'push|dev_1' },
  code: { code: '123 456' },
  approval: {},
  recoveryCode: { recoveryCode: 'AB12-CD34' },
  newRecoveryCode: {},
  browser: {},
}

describe('the answer to a challenge', () => {
  test.each(Object.entries(ANSWER))('%s has its own fields, each required and limited in length', (kind, answer) => {
    const input = { kind, challenge: '1', ...answer }
    expect(v.parse(calls.answerChallenge, input)).toEqual(input)
    expect(issueOf({ ...input, challenge: '' })).toBe('empty')
    for (const name of Object.keys(answer)) {
      expect(issueOf({ ...input, [name]: '' })).toBe('empty')
      expect(issueOf({ ...input, [name]: 'x'.repeat(257) })).toBe('tooLong')
      expect(issueOf({ ...input, [name]: ['1'] })).toBeDefined()
      expect(issueOf({ kind, challenge: '1' })).toBeDefined()
    }
  })

  test('SECURITY: other fields and unknown kinds are refused', () => {
    expect(issueOf({ kind: 'approval', challenge: '1', code: '1' })).toBeDefined()
    expect(issueOf({ kind: 'code', challenge: '1', code: '1', grant: 'password' })).toBeDefined()
    expect(issueOf({ kind: 'toString', challenge: '1' })).toBeDefined()
    expect(issueOf({ kind: 'code', code: '1' })).toBeDefined()
  })
})
