import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { TOKEN_FORMATS, TokenReplies, tokenBody } from './replies.ts'

const replies = new TokenReplies({ clock: { now: () => 0, wall: () => 0 }, origin: () => undefined })

it.each([
  ['service', 'The service asked'],
  ['identityProvider', 'Your identity provider asked'],
] as const)('the error about a failure at the %s says who failed, and when to ask again', (issuer, words) => {
  const { body, headers } = replies.of({ kind: 'unavailable', reason: 'rateLimited', retryAt: 90_500, issuer }, 'text')
  expect(body).toBe(`${words} Latchkey to wait. Try again later.`)
  expect(headers.slice(headers.indexOf('Retry-After'))).toEqual(['Retry-After', '91'])
})

/** The expected text of each format. Other programs parse these formats, so a change can break those programs. */
const GOLDEN = new URL('../../test/agent/golden/', import.meta.url)

const FACTS = {
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl',
  expiresAt: Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000,
  expiresIn: 3_599,
  account: 'ana',
  origin: 'https://data.example.com',
}

test.each(TOKEN_FORMATS)('a token in the format %s is as in its golden file, and always one line', (format) => {
  expect(tokenBody(format, FACTS)).toBe(readFileSync(new URL(`${format}.golden`, GOLDEN), 'utf8'))
  expect(tokenBody(format, { ...FACTS, account: 'a\nb\r"c"' })).not.toMatch(/[\r\n]/)
})
