import { describe, expect, it } from 'vitest'
import { cleanPath } from '../base/clean-path.ts'
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

describe('SECURITY: only requests to the gateway’s own host pass', () => {
  it.each([
    [HOST, 'target'],
    [['HOST', 'LocalHost:24817'], 'target'],
    [[], 'wrongHost'],
    [['Host', 'rebound.example:24817'], 'wrongHost'],
    [['Host', '127.0.0.1'], 'wrongHost'],
    [['Host', '127.0.0.1:24818'], 'wrongHost'],
    [['Host', '127.1:24817'], 'wrongHost'],
    [['Host', '[::1]:24817'], 'wrongHost'],
    [['Host', 'localhost.:24817'], 'wrongHost'],
    [['Host', 'ana@127.0.0.1:24817'], 'wrongHost'],
    [[...HOST, 'host', 'localhost:24817'], 'wrongHost'],
  ])('the headers %j give %s', (rawHeaders, result) => {
    expect(check(rawHeaders)).toEqual(result === 'target' ? { target: '/v1/tables' } : { refusal: result })
  })
})

it.each([
  ['Origin', 'https://evil.example'],
  ['origin', 'null'],
  ['Origin', 'http://127.0.0.1:24817'],
  ['Sec-Fetch-Site', 'none'],
  ['sec-fetch-site', 'same-origin'],
])('SECURITY: a web page’s request is refused because it has the header %s: %s', (name, value) => {
  expect(check([...HOST, name, value])).toEqual({ refusal: 'webPage' })
})

it.each([
  [['Transfer-Encoding', 'gzip, chunked'], 'transferCoding'],
  [['Transfer-Encoding', 'chunked', 'transfer-encoding', 'identity'], 'transferCoding'],
  [['Transfer-Encoding', 'Chunked'], undefined],
])('SECURITY: a body may be in no other transfer coding than chunked: %j', (more, refusal) => {
  expect(check([...HOST, ...more])).toEqual(refusal === undefined ? { target: '/v1/tables' } : { refusal })
})

it.each([
  ['GET', 'read', undefined],
  ['HEAD', 'read', undefined],
  ['POST', 'read', 'readOnly'],
  ['OPTIONS', 'read', 'readOnly'],
  ['QUERY', 'read', 'readOnly'],
  ['POST', 'all', undefined],
  ['DELETE', 'all', undefined],
])('SECURITY: the refusal of a %s request with the methods setting “%s” is %s', (method, methods, refusal) => {
  expect(check(HOST, { method, more: { methods } })).toEqual(refusal ? { refusal } : { target: '/v1/tables' })
})

it.each(['X-HTTP-Method', 'x-http-method-override', 'X_Method_Override'])(
  'SECURITY: while only reading is allowed, a request with the header %s is refused',
  (name) => {
    expect(check([...HOST, name, 'DELETE'])).toEqual({ refusal: 'readOnly' })
    expect(check([...HOST, name, 'MERGE'], { more: { methods: 'all' } })).toEqual({ target: '/v1/tables' })
  },
)

describe('SECURITY: a request stays below the base path', () => {
  it.each([
    ['/v1', '/v1'],
    ['/v1?top=1', '/v1?top=1'],
    ['/v1/', '/v1/'],
    ['/v1/a//b?x=/../y&z=%2e%2e', '/v1/a//b?x=/../y&z=%2e%2e'],
    ['///v1/a', '/v1/a'],
    ['/v1/group%2Fproject', '/v1/group%2Fproject'],
    ['/v1/100%', '/v1/100%'],
    ['/v1/%E1%BA%BD...%C3%A0', '/v1/%E1%BA%BD...%C3%A0'],
    ['/', 'outsideBasePath'],
    ['/v2/tables', 'outsideBasePath'],
    ['/v10', 'outsideBasePath'],
    ['/V1/tables', 'outsideBasePath'],
    ['/v1/../admin', 'wrongPath'],
    ['/v1/./tables', 'wrongPath'],
    ['/v1/..', 'wrongPath'],
    ['/v1/%2e%2e/admin', 'wrongPath'],
    ['/v1/.%2E/admin', 'wrongPath'],
    ['/v1/%252e%252e/admin', 'wrongPath'],
    ['/v1/%25252525252e/admin', 'wrongPath'],
    ['/v1/..%2fadmin', 'wrongPath'],
    ['/v1/..%5cadmin', 'wrongPath'],
    ['/v1/..;/admin', 'wrongPath'],
    ['/v1/..;x=1/admin', 'wrongPath'],
    [String.raw`/v1\..\admin`, 'wrongPath'],
    [String.raw`\\evil.example\v1`, 'wrongPath'],
    ['/v1/..%20/admin', 'wrongPath'],
    ['/v1/%c0%ae%c0%ae/admin', 'wrongPath'],
    ['/v1/%e0%80%ae%e0%80%ae/admin', 'wrongPath'],
    ['/v1/%u002e%U002E/admin', 'wrongPath'],
    ['/v1/%ef%bc%8e%ef%bc%8e/admin', 'wrongPath'],
    ['/v1/%e2%80%a5/admin', 'wrongPath'],
    ['/v1/a%00', 'wrongPath'],
    ['/v1/a%0d%0aX:%20y', 'wrongPath'],
    ['/v1/a#b', 'wrongPath'],
    ['/v1/?a b', 'wrongPath'],
    ['/v1/\u00e9', 'wrongPath'],
    ['http://127.0.0.1:24817/v1/tables', 'wrongPath'],
    ['https://evil.example/v1/tables', 'wrongPath'],
    ['evil.example:443', 'wrongPath'],
    ['*', 'wrongPath'],
    ['', 'wrongPath'],
  ])('%s gives %s', (url, result) => {
    expect(check(HOST, { url })).toEqual(result.startsWith('/') ? { target: result } : { refusal: result })
  })

  it('a path with thousands of dots and escapes is checked quickly', () => {
    const began = performance.now()
    for (const piece of ['%2', '%252e', '../', '//', '%25']) cleanPath(`/${piece.repeat(10_000)}`)
    expect(performance.now() - began).toBeLessThan(500)
  })
})

it('SECURITY: a request without the password learns nothing about the service', () => {
  const passwords = { check: () => ({ kind: 'wrong' }) as const }
  for (const url of ['/v2', '/v1/../x', '/v1']) {
    expect(check(HOST, { url, method: 'POST', more: { passwords } })).toEqual({ refusal: 'wrongPassword' })
  }
})
