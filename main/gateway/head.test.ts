import { expect, it } from 'vitest'
import { checkHead, type HeadRules } from './head.ts'

const HOST = ['Host', '127.0.0.1:24817']
const rules: HeadRules = {
  port: 24_817,
  basePath: '/v1',
  methods: 'read',
  passwords: { check: () => ({ kind: 'right' }) },
}
const check = (rawHeaders: readonly string[], { url = '/v1/tables', method = 'GET', more = {} } = {}) =>
  checkHead({ method, url, rawHeaders }, { ...rules, ...more })

it.each([
  [['HOST', 'LocalHost:24817'], undefined],
  [[], 'wrongHost'],
  [['Host', 'rebound.example:24817'], 'wrongHost'],
  [['Host', '127.0.0.1'], 'wrongHost'],
  [['Host', '127.0.0.1:24818'], 'wrongHost'],
  [['Host', 'localhost.:24817'], 'wrongHost'],
  [[...HOST, 'host', 'localhost:24817'], 'wrongHost'],
  [[...HOST, 'Origin', 'http://127.0.0.1:24817'], 'webPage'],
  [[...HOST, 'sec-fetch-site', 'none'], 'webPage'],
  [[...HOST, 'Transfer-Encoding', 'Chunked'], undefined],
  [[...HOST, 'Transfer-Encoding', 'gzip, chunked'], 'transferCoding'],
  [[...HOST, 'Transfer-Encoding', 'chunked', 'transfer-encoding', 'identity'], 'transferCoding'],
])('SECURITY: only a tool’s request to the gateway’s own host, with a plain body, passes: %j', (headers, refusal) => {
  expect(check(headers)).toEqual(refusal === undefined ? { target: '/v1/tables' } : { refusal })
})

it.each([
  ['GET', 'read', undefined],
  ['HEAD', 'read', undefined],
  ['POST', 'read', 'readOnly'],
  ['QUERY', 'read', 'readOnly'],
  ['DELETE', 'all', undefined],
  ['TRACE', 'all', 'trace'],
])('SECURITY: the refusal of a %s request with the methods setting “%s” is %s', (method, methods, refusal) => {
  expect(check(HOST, { method, more: { methods } })).toEqual(refusal ? { refusal } : { target: '/v1/tables' })
})

it('SECURITY: while only reading is allowed, a request with a header that names another method is refused', () => {
  for (const name of ['X-HTTP-Method', 'x-http-method-override', 'X_Method_Override']) {
    const headers = [...HOST, name, 'DELETE']
    expect(check(headers)).toEqual({ refusal: 'readOnly' })
    expect(check(headers, { more: { methods: 'all' } })).toEqual({ target: '/v1/tables' })
  }
})

it.each([
  ['/v1', '/v1'],
  ['/v1/a//b?x=/../y&z=%2e%2e', '/v1/a//b?x=/../y&z=%2e%2e'],
  ['///v1/a', '/v1/a'],
  ['/v1/group%2Fproject', '/v1/group%2Fproject'],
  ['/v1/100%', '/v1/100%'],
  ['/v1/%E1%BA%BD...%C3%A0', '/v1/%E1%BA%BD...%C3%A0'],
  ['/', 'outsideBasePath'],
  ['/v10', 'outsideBasePath'],
  ['/v1/../admin', 'wrongPath'],
  ['/v1/./tables', 'wrongPath'],
  ['/v1/%2e%2E/admin', 'wrongPath'],
  ['/v1/%25252525252e/admin', 'wrongPath'],
  ['/v1/..%2fadmin', 'wrongPath'],
  ['/v1/..;x=1/admin', 'wrongPath'],
  [String.raw`/v1\..\admin`, 'wrongPath'],
  ['/v1/..%20/admin', 'wrongPath'],
  ['/v1/%c0%ae%c0%ae/admin', 'wrongPath'],
  ['/v1/%e0%80%ae%e0%80%ae/admin', 'wrongPath'],
  ['/v1/%f0%80%80%ae%f0%80%80%ae/admin', 'wrongPath'],
  ['/v1/%u002e%U002E/admin', 'wrongPath'],
  ['/v1/%ef%bc%8e%ef%bc%8e/admin', 'wrongPath'],
  ['/v1/a%00', 'wrongPath'],
  ['/v1/a%0d%0aX:%20y', 'wrongPath'],
  [String.raw`/v1/a\b`, 'wrongPath'],
  ['/v1/a#b', 'wrongPath'],
  ['/v1/\u00e9', 'wrongPath'],
  ['http://127.0.0.1:24817/v1/tables', 'wrongPath'],
  ['*', 'wrongPath'],
])('SECURITY: a request stays below the base path: %s gives %s', (url, result) => {
  expect(check(HOST, { url })).toEqual(result.startsWith('/') ? { target: result } : { refusal: result })
})

it('SECURITY: a request without the password learns nothing about the service', () => {
  const passwords = { check: () => ({ kind: 'wrong' }) as const }
  for (const url of ['/v2', '/v1/../x', '/v1']) {
    expect(check(HOST, { url, method: 'POST', more: { passwords } })).toEqual({ refusal: 'wrongPassword' })
  }
})
