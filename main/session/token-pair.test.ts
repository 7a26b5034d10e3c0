import { expect, it } from 'vitest'
import { isShortLived } from './token-pair.ts'

it('a token is short-lived if its lifetime is 30 s or less', () => {
  for (const seconds of [1, 29, 30]) expect(isShortLived({ receivedAt: 5, expiresAt: 5 + seconds * 1_000 })).toBe(true)
  expect(isShortLived({ receivedAt: 5, expiresAt: 5 + 30_001 })).toBe(false)
})
