import { describe, expect, test } from 'vitest'
import { formOf, readHead } from './parse-request.ts'

const ask = (url: string, { method = 'GET', secret, ...headers }: Record<string, string> = {}) =>
  readHead({ method, url, headers: { host: 'localhost', ...headers } }, { secret })

const PLAIN = { path: '/v1/token', minValidity: 60, isStrict: false, wait: 0, connection: 'default' }
const STATUS = { path: '/v1/status', connection: 'default' }
test.each([
  ['/v1/token?', PLAIN],
  ['/v1/token?min_validity=%38%36400&strict=true', { ...PLAIN, minValidity: 86_400, isStrict: true }],
  ['/v1/token?connection=staging&format=oauth', { ...PLAIN, connection: 'staging', format: 'oauth' }],
  ['/v1/token?wait=604800&strict=false', { ...PLAIN, wait: 604_800 }],
  ['http://localhost/v1/status?connection=staging', { path: '/v1/status', connection: 'staging' }],
  ['HTTP://Latchkey/v1/events', { path: '/v1/events', connection: 'default' }],
  ['/v1/status?until=07:30', { ...STATUS, until: { hours: 7, minutes: 30 } }],
  ['/v1/status?until=90m', { ...STATUS, until: { durationMs: 5_400_000 } }],
  ['/v1/status?until=366d', { ...STATUS, until: { durationMs: 366 * 86_400_000 } }],
])('a request for %s is read with its parameters and their defaults', (url, asked) => {
  expect(ask(url)).toEqual(asked)
})

test.each([
  ['sign-out', { connection: 'default', isAll: false }],
  ['sign-out?connection=staging', { connection: 'staging', isAll: false }],
  ['sign-out?all=true', { connection: 'default', isAll: true }],
  ['sign-out?all=true&connection=staging', { error: 'invalid_parameter' }],
  ['remote?host=build', { host: 'build', connections: ['default'] }],
  ['remote?host=a&connection=b&connection=default', { host: 'a', connections: ['b', 'default'] }],
  ['remote?host=', { error: 'invalid_parameter' }],
  ['remote?host=a&min_validity=5', { error: 'invalid_parameter' }],
  [`remote?host=${'x'.repeat(256)}`, { error: 'invalid_parameter' }],
])(
  'to sign out or to open a socket for a remote machine, a request says exactly what it is about: %s',
  (path, asked) => {
    expect(ask(`/v1/${path}`, { method: 'POST' })).toMatchObject(asked)
  },
)

test.each([
  ...['/v1/token/', '/V1/token', '/v1/%74oken', '/v1/../v1/token', '//v1/token', '*'],
  ...['http://localhost', 'https://localhost/v1/token', '/toString', '__proto__'],
])('a request for an unknown path is refused: %j', (url) => {
  expect(ask(url)).toMatchObject({ error: 'not_found' })
})

test('a request with another method than its path takes gets an error with “Allow”', () => {
  expect(ask('/v1/token', { method: 'HEAD' })).toMatchObject({ error: 'method_not_allowed', allow: 'GET' })
  expect(ask('/v1/token/rejected')).toMatchObject({ error: 'method_not_allowed', allow: 'POST' })
})

test.each([
  ...['min_validity=', 'min_validity=-1', 'min_validity=86401', 'min_validity=1e3', 'min_validity=000060'],
  ...['min_validity=60&min_validity=60', 'strict=1', 'minValidity=60', 'format=yaml', 'x', 'wait=30m', 'wait=604801'],
])('a parameter is refused if it is unknown, repeated or out of range: %s', (query) => {
  expect(ask(`/v1/token?${query}`)).toMatchObject({ error: 'invalid_parameter' })
})

test.each(['24:00', '07:60', '7:5', '8w', '367d'])(
  '`until` is refused if it is invalid or too far in the future: %j',
  (until) => {
    expect(ask(`/v1/status?until=${until}`)).toMatchObject({ error: 'invalid_parameter' })
  },
)

describe('a request is allowed only if', () => {
  test.each([
    ['latchkey', 'http://evil.example/v1/status', { error: 'forbidden' }],
    ['evil.example', 'http://localhost/v1/status', STATUS],
    ['LocalHost', '/v1/status', STATUS],
    ['', '/v1/status', { error: 'forbidden' }],
    ['localhost:80', '/v1/status', { error: 'forbidden' }],
    ['localhost.', '/v1/status', { error: 'forbidden' }],
    ['localhost, localhost', 'http://localhost/v1/status', { error: 'malformed_request' }],
  ])('SECURITY: its host, or else its one Host header, is the agent’s: %j %s', (host, url, asked) => {
    expect(ask(url, { host })).toMatchObject(asked)
  })

  test.each([{ origin: 'null' }, { origin: 'http://localhost' }, { origin: '' }, { 'sec-fetch-site': 'cross-site' }])(
    'SECURITY: it has no header by which browsers mark a page’s requests: %j',
    (headers) => {
      expect(ask('/v1/token', headers)).toMatchObject({ error: 'forbidden' })
    },
  )

  test('SECURITY: it contains the secret, if the agent has one', () => {
    const url = '/v1/nowhere'
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', 'Bearer right ', 'bearer right', 'right']) {
      expect(ask(url, { authorization, secret: 'right' })).toMatchObject({ error: 'forbidden' })
    }
    expect(ask(url, { authorization: 'Bearer right', secret: 'right' })).toMatchObject({ error: 'not_found' })
  })

  test('it isn’t a GET with a body', () => {
    expect(ask('/v1/token', { 'content-length': '1' })).toMatchObject({ error: 'invalid_body' })
    expect(ask('/v1/token', { 'transfer-encoding': 'chunked' })).toMatchObject({ error: 'invalid_body' })
    expect(ask('/v1/token', { 'content-length': '0' })).toMatchObject({ path: '/v1/token' })
  })
})

test.each([
  ['*/*', 'json'],
  ['text/plain; charset=utf-8', 'text'],
  ['Text/Plain;q=0.5', 'json'],
  ['text/plain;q=0.5, */*;q=0.1', 'text'],
  ['application/json, text/plain, */*', 'json'],
  ['text/plain, application/json;q=0.9', 'text'],
])('the form of the response to Accept: %s is %s', (accept, form) => {
  expect(formOf(accept)).toBe(form)
})
