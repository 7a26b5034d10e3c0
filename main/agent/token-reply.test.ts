import { expect, it } from 'vitest'
import { TokenReplies } from './token-reply.ts'

const replies = new TokenReplies({ clock: { now: () => 0, wall: () => 0 }, origin: () => undefined })

it.each([
  ['service', 'The service asked'],
  ['identityProvider', 'Your identity provider asked'],
] as const)('a failure at the %s names it', (issuer, words) => {
  const { body } = replies.of({ kind: 'unavailable', reason: 'rateLimited', retryAt: 1_000, issuer }, 'text')
  expect(`${body}`).toContain(words)
})
