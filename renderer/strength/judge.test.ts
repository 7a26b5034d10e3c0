import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { expect, test, vi } from 'vitest'
import type { Strength } from '../../text/strength.ts'
import { createJudge } from './judge.ts'

const judge = createJudge(['ana', 'Ana Duarte', 'data.example.com'])

test.each<[string, Strength['level'], Strength['hint']]>([
  ['P@ssw0rd1', 1, 'common'],
  ['Duarte', 0, 'name'],
  ['giraffe-lantern-7', 4, 'short'],
])('%s has the level %i and the hint %s', (password, level, hint) => {
  expect(judge(password)).toEqual({ level, hint })
})

test('only the beginning of a long password is judged, so that it doesn’t take seconds', () => {
  const beginning = 'x'.repeat(100)
  expect(judge(`${beginning}giraffe-lantern-7`)).toEqual(judge(beginning))
})

test('SECURITY: neither V8, which keeps the last matched text, nor the library keeps the password', () => {
  const check = vi.spyOn(ZxcvbnFactory.prototype, 'check')
  judge('Sommer1984Sommer1984')
  expect([Reflect.get(RegExp, 'input'), check.mock.calls.at(-1)?.[0]]).toEqual(['a', 'a'])
  check.mockRestore()
})
