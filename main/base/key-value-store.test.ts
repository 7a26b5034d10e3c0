import { expect, it } from 'vitest'
import { remembered } from './key-value-store.ts'

it('on a full disk, a new value stays in memory, and nothing throws, so that a sign-in can choose its port', () => {
  const refuse = () => {
    throw new Error('ENOSPC')
  }
  const value = remembered<string>({ get: () => 'old', set: refuse }, 'key')
  value.set('new')
  expect(value.get()).toBe('new')
})
