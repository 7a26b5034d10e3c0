import { expect, test } from 'vitest'
import { growth, LINEAR } from '../../test/support/growth.ts'
import { scrub } from './scrub.ts'

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl'
const OPAQUE = 'v1.MRrtzXq3Kf0aBcDeFgHiJkLmNoPq'

test.each([
  ['a JWT', `sent ${JWT}, got 401`, 'sent [secret], got 401'],
  ['a JWT that was cut', JWT.slice(0, 30), '[secret]'],
  ['an Authorization header and all that follows', 'Authorization: Custom a b c', 'Authorization: [secret]'],
  ['a sealed token', 'sent Bearer Fe26.2*82dcca*be81*aGVs*1760*c2Fs*bWFj~2 again', 'sent Bearer [secret] again'],
  ['raw headers', "[ 'Proxy-Authorization', 'Basic YQ==' ]", "[ 'Proxy-Authorization', [secret]"],
  ['a cookie', 'Set-Cookie: sid=1; Path=/', 'Set-Cookie: [secret]'],
  ['userinfo', 'at http://ana:no@proxy.test:3128/', 'at http://[secret]@proxy.test:3128/'],
  ['invalid userinfo', 'http://ana:n/o@p@proxy.test', 'http://[secret]@proxy.test'],
  ['userinfo without a scheme', 'proxy ana:no@proxy.test:3128', 'proxy [secret]@proxy.test:3128'],
  ['JSON', '{"refreshToken":"a\\"b c","x":1}', '{"refreshToken":[secret]'],
  ['a secret in a query', 'grant_type=x&client_secret=hush&y=1', 'grant_type=x&client_secret=[secret]&y=1'],
  ['an opaque token', `refused ${OPAQUE}`, 'refused v1.[secret]'],
  ['a digest', `of ${'0a'.repeat(16)}`, 'of [secret]'],
])('text that looks like a secret is removed: %s', (_, text, left) => {
  expect(scrub(text)).toBe(left)
})

test.each([
  'connect ECONNREFUSED 127.0.0.1:8443',
  'https://data.example.com:8443/auth/login',
  'internal-data-platform-production-12345.eu-west-1.example.com',
  'The proxy wants Basic authentication (Negotiate, NTLM) instead.',
  "Host: x. is not cert's CN: service.test",
  'the client secret: set (environment)',
  'ana@example.com',
])('other text is unchanged: %s', (text) => {
  expect(scrub(text)).toBe(text)
})

test.each(['a:', ':@', 'eyJ.', 'Basic ', 'A1a-', 'token', 'http://'])('%j is scrubbed in linear time', (part) => {
  expect(growth((times) => () => scrub(part.repeat(times)), 200_000)).toBeLessThan(LINEAR)
})
