import { describe, expect, test } from 'vitest'
import { formOf, readHead } from './parse-request.ts'

const ask = (url: string, { method = 'GET', secret, ...headers }: Record<string, string> = {}) =>
  readHead({ method, url, headers: { host: 'localhost', ...headers } }, { secret })

describe('a request', () => {
  const PLAIN = { path: '/v1/token', minValidity: 60, isStrict: false, wait: 0, connection: 'default' }
  test.each([
    ['/v1/token', PLAIN],
    ['/v1/token?', PLAIN],
    ['/v1/token?min_validity=0', { ...PLAIN, minValidity: 0 }],
    ['/v1/token?min_validity=86400', { ...PLAIN, minValidity: 86_400 }],
    ['/v1/token?min_validity=%36%30', PLAIN],
    ['/v1/token?connection=staging&min_validity=5', { ...PLAIN, minValidity: 5, connection: 'staging' }],
    ['/v1/token?strict=true', { ...PLAIN, isStrict: true }],
    ['/v1/token?strict=false', PLAIN],
    ['/v1/token?wait=604800', { ...PLAIN, wait: 604_800 }],
    ['/v1/token?format=oauth', { ...PLAIN, format: 'oauth' }],
    ['http://localhost/v1/status?connection=staging', { path: '/v1/status', connection: 'staging' }],
    ['HTTP://Latchkey/v1/events', { path: '/v1/events', connection: 'default' }],
    ['/v1/status?until=07:30', { path: '/v1/status', connection: 'default', until: { hours: 7, minutes: 30 } }],
    ['/v1/status?until=90m', { path: '/v1/status', connection: 'default', until: { durationMs: 5_400_000 } }],
    ['/v1/status?until=366d', { path: '/v1/status', connection: 'default', until: { durationMs: 366 * 86_400_000 } }],
  ])('for %s is read with its parameters and their defaults', (url, asked) => {
    expect(ask(url)).toEqual(asked)
  })

  test.each([
    ['', { connection: 'default', isAll: false }],
    ['?connection=staging', { connection: 'staging', isAll: false }],
    ['?all=true', { connection: 'default', isAll: true }],
    ['?all=yes', { error: 'invalid_parameter' }],
    ['?all=true&connection=staging', { error: 'invalid_parameter' }],
  ])('to sign out names one connection at most, or all: %s', (query, asked) => {
    expect(ask(`/v1/sign-out${query}`, { method: 'POST' })).toMatchObject(asked)
  })

  test.each(['', '24:00', '07:60', '7:5', '8w', '-5', '1e3', '367d', '07:00:00', ' 8h', '99999999d'])(
    'for the status is refused if `until` is invalid or too far in the future: %j',
    (until) => {
      expect(ask(`/v1/status?until=${until}`)).toMatchObject({ error: 'invalid_parameter' })
    },
  )

  test.each([
    ['?host=build', ['default']],
    ['?host=build&connection=staging&connection=default', ['staging', 'default']],
  ])('for a remote machine’s socket names the machine and its connections: %s', (query, connections) => {
    expect(ask(`/v1/remote${query}`, { method: 'POST' })).toEqual({ path: '/v1/remote', host: 'build', connections })
  })

  const tooLong = `?host=${'x'.repeat(256)}`
  test.each([...['', '?host=', '?host=a&host=b', '?connection=default', '?host=a&min_validity=5', tooLong]])(
    'for a remote machine’s socket is refused unless it has exactly one valid host and no unknown parameter: %s',
    (query) => {
      expect(ask(`/v1/remote${query}`, { method: 'POST' })).toMatchObject({ error: 'invalid_parameter' })
    },
  )

  test.each([
    ...['', '/', '/v1', '/v1/', '/v1/token/', '/V1/token', '/v1/%74oken', '/v1/../v1/token', '//v1/token', '*'],
    ...['http://localhost', 'https://localhost/v1/token', '/toString', '__proto__'],
  ])('for an unknown path is refused: %j', (url) => {
    expect(ask(url)).toMatchObject({ error: 'not_found' })
  })

  test.each(['POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'])(
    'with %s to a path for GET gets an error with “Allow: GET”',
    (method) => {
      expect(ask('/v1/token', { method })).toMatchObject({ error: 'method_not_allowed', allow: 'GET' })
    },
  )

  test('with GET to a path for POST gets an error with “Allow: POST”', () => {
    expect(ask('/v1/token/rejected')).toMatchObject({ error: 'method_not_allowed', allow: 'POST' })
    expect(ask('/v1/token/rejected', { method: 'POST' })).toEqual({ path: '/v1/token/rejected', connection: 'default' })
  })
})

describe('a parameter', () => {
  test.each([
    ...['min_validity=', 'min_validity=-1', 'min_validity=86401', 'min_validity=1.5', 'min_validity=1e3'],
    ...['min_validity=0x10', 'min_validity=+5', 'min_validity=000060', 'min_validity=60&min_validity=60'],
    ...['min_validity=60&x=1', 'strict=', 'strict=1', 'strict=true&strict=true', 'minValidity=60', 'format=yaml', 'x'],
    ...['wait=', 'wait=30m', 'wait=604801', 'wait=1&wait=1'],
  ])('is refused if it is unknown, repeated or out of range: %s', (query) => {
    expect(ask(`/v1/token?${query}`)).toMatchObject({ error: 'invalid_parameter' })
  })

  test('is refused at a path that doesn’t take it', () => {
    expect(ask('/v1/status?verbose=1')).toMatchObject({ error: 'invalid_parameter' })
    expect(ask('/v1/token/rejected?min_validity=1', { method: 'POST' })).toMatchObject({ error: 'invalid_parameter' })
  })
})

describe('a request is allowed only if', () => {
  test.each(['localhost', 'latchkey', 'LocalHost'])('its Host header names the agent: %s', (host) => {
    expect(ask('/v1/status', { host })).toEqual({ path: '/v1/status', connection: 'default' })
  })

  test.each(['', 'localhost:80', 'localhost.', 'evil.example'])('its Host header names the agent, not %j', (host) => {
    expect(ask('/v1/status', { host })).toMatchObject({ error: 'forbidden' })
  })

  test('it has a Host header', () => {
    expect(readHead({ method: 'GET', url: '/v1/status', headers: {} })).toMatchObject({ error: 'forbidden' })
  })

  test('the host in its target, if there is one, is the agent’s, whatever the Host header says', () => {
    expect(ask('http://localhost/v1/status', { host: 'evil.example' })).toMatchObject({ path: '/v1/status' })
    expect(ask('http://evil.example/v1/status')).toMatchObject({ error: 'forbidden' })
  })

  test.each(['localhost, evil.example', 'localhost, localhost'])(
    'its Host header names only one host, not %s',
    (host) => {
      expect(ask('/v1/status', { host })).toMatchObject({ error: 'malformed_request' })
      expect(ask('http://localhost/v1/status', { host })).toMatchObject({ error: 'malformed_request' })
    },
  )

  test.each([
    ...['https://evil.example', 'null', 'http://localhost', ''].map((origin) => ({ origin })),
    ...['cross-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
  ])('SECURITY: it has no header by which browsers mark a page’s requests: %j', (headers) => {
    expect(ask('/v1/token', headers)).toMatchObject({ error: 'forbidden' })
  })

  test('it contains the secret, if the agent has one', () => {
    const url = '/v1/nowhere'
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Bearer right ', 'bearer right', 'right']) {
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

describe('the form of the response', () => {
  test.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/html', 'json'],
    ['text/plain', 'text'],
    ['text/plain; charset=utf-8', 'text'],
    ['Text/Plain;q=0.5', 'json'],
    ['text/plain;q=0.5, */*;q=0.1', 'text'],
    ['application/json, text/plain, */*', 'json'],
    ['text/plain, application/json;q=0.9', 'text'],
    ['text/plain;q=0', 'json'],
    ['text/plain;q=x', 'json'],
    ['text/plainer', 'json'],
  ])('to Accept: %s is %s', (accept, form) => {
    expect(formOf(accept)).toBe(form)
  })
})
