import { expect, it } from 'vitest'
import { attempt } from './attempt.ts'

it('what the system refuses is reported, and not done', () => {
  const reported: unknown[] = []
  const refusal = new Error('EACCES')
  const refuse = () => {
    throw refusal
  }
  const report = (where: string, error: unknown) => reported.push([where, error])
  expect(attempt('startAtLogin', refuse, report)).toBe(false)
  expect(reported).toEqual([['startAtLogin', refusal]])
  expect(attempt('startAtLogin', () => 'done', report)).toBe(true)
  expect(reported).toHaveLength(1)
})
