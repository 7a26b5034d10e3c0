import { afterAll, describe, expect, it } from 'vitest'
import { type Failure, OK, type Outcome } from '../../contract/failures.ts'
import {
  expectWithout,
  freePort,
  json,
  type Scripted,
  scriptedServer,
  testClient,
} from '../../test/support/local-servers.ts'
import { accessToken, password, refreshToken } from '../base/secret.ts'
import { createAuthService, reach } from './auth-service.ts'

const server = await scriptedServer()
afterAll(server.stop)

const PASSWORD = 'correct hörse battery'
const ACCESS = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.sig'
const REFRESH = 'refresh-token-in-hand'
const NEW_PASSWORD = 'a new staple / 9'
const SECRETS = [PASSWORD, ACCESS, REFRESH, NEW_PASSWORD, 'new.access.token', 'the-next-refresh-token']

const service = () => createAuthService({ baseAddress: `${server.address}/base/path`, http: testClient() })

const operations = {
  login: () => service().login({ username: 'ana', password: password(PASSWORD) }),
  refresh: () => service().refresh(refreshToken(REFRESH)),
  logout: () => service().logout(accessToken(ACCESS), refreshToken(REFRESH)),
  changePassword: () => service().changePassword(accessToken(ACCESS), password(NEW_PASSWORD)),
} satisfies Record<string, () => Promise<Outcome<unknown>>>
type Operation = keyof typeof operations
const ALL = Object.keys(operations) as Operation[]

const pair = { token: 'new.access.token', refreshToken: 'the-next-refresh-token' }
const html = (status: number, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: '<!doctype html><title>Company proxy</title>',
})
const text = (status: number, body = 'no', headers: Record<string, string> = {}): Scripted => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
})

async function failure(operation: Operation, answer: Scripted): Promise<Failure> {
  server.answers(answer)
  const outcome = await operations[operation]()
  expectWithout(outcome, SECRETS)
  if (outcome.ok) throw new Error(`${operation} succeeded`)
  return outcome.failure
}

describe('the requests', () => {
  it('a login is a GET with Basic credentials in UTF-8, and has no body', async () => {
    server.answers(json(200, pair))
    await operations.login()
    const [request] = server.received
    expect(request).toMatchObject({ method: 'GET', url: '/base/path/auth/login', body: '' })
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'Latchkey/1.2.3',
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: `Basic ${Buffer.from(`ana:${PASSWORD}`, 'utf8').toString('base64')}`,
      connection: 'close',
    })
  })

  it.each<[Operation, string | undefined, object]>([
    ['refresh', undefined, { refreshToken: REFRESH }],
    ['logout', `Bearer ${ACCESS}`, { refreshToken: REFRESH }],
    ['changePassword', `Bearer ${ACCESS}`, { password: NEW_PASSWORD }],
  ])('a %s is a POST with the Authorization header %s and the JSON %j', async (operation, authorization, body) => {
    // Empty fields about errors report no error.
    server.answers(json(200, { ...(operation === 'refresh' && pair), error: '', errors: [] }))
    expect(await operations[operation]()).toMatchObject({ ok: true })
    const [request] = server.received
    expect(request).toMatchObject({ method: 'POST', url: `/base/path/auth/${operation}` })
    expect(JSON.parse(request?.body ?? '')).toEqual(body)
    expect(request?.headers['content-type']).toBe('application/json')
    expect(request?.headers.authorization).toBe(authorization)
    expect(request?.headers).not.toHaveProperty('cookie')
  })

  it.each([
    ['a:na', PASSWORD, 'username'],
    ['ana', 'with\u0000nul', 'password'],
  ])('a login as %j with %j is refused before anything is sent', async (username, secret, cause) => {
    server.answers(json(200, pair))
    const outcome = await service().login({ username, password: password(secret) })
    expect(outcome).toEqual({ ok: false, failure: { code: 'invalidInput', details: { operation: 'login', cause } } })
    expect(server.received).toHaveLength(0)
  })
})

describe('a token pair', () => {
  it.each(['login', 'refresh'] as const)('from %s is accepted, with the server’s time', async (operation) => {
    server.answers(json(200, { ...pair, more: 1 }, { date: 'Sun, 06 Nov 1994 08:49:37 GMT' }))
    const outcome = await operations[operation]()
    if (!outcome.ok) throw new Error(outcome.failure.code)
    expect(outcome.value.accessToken.reveal()).toBe(pair.token)
    expect(outcome.value.refreshToken?.reveal()).toBe(pair.refreshToken)
    expect(outcome.value.serverTime).toBe(Date.UTC(1994, 10, 6, 8, 49, 37))
    expectWithout(outcome, SECRETS)
  })

  const LETTERS = { ...pair, note: 'Größe' }
  // biome-ignore format: a row a line reads as a table
  it.each<[string, Record<string, string>, Uint8Array]>([
    ['text/html', { 'content-type': 'text/html; charset=utf-8' }, Buffer.from(JSON.stringify(LETTERS))],
    ['application/json;charset=ISO-8859-1', { 'content-type': 'application/json;charset=ISO-8859-1' }, Buffer.from(JSON.stringify(LETTERS), 'latin1')],
    ['latin1, although the body is UTF-8', { 'content-type': 'application/json; charset="latin1"' }, Buffer.from(JSON.stringify(LETTERS))],
    ['none, before a body in UTF-16', {}, Buffer.from(`\ufeff${JSON.stringify(LETTERS)}`, 'utf16le')],
  ])('is read whatever the Content-Type of the response: %s', async (_, headers, body) => {
    server.answers({ status: 200, headers, body })
    const outcome = await operations.refresh()
    expect(outcome.ok && outcome.value.refreshToken?.reveal()).toBe(pair.refreshToken)
  })

  it.each<[string, unknown, string]>([
    ['a token that no header can carry', { token: 'new.access.token\r\nX: y', refreshToken: 'r' }, 'field token'],
    ['a NUL in the refreshToken', { token: 't', refreshToken: 'the-next\u0000' }, 'field refreshToken'],
    ['a refreshToken over 64 KiB', { token: 't', refreshToken: 'r'.repeat(65_537) }, 'field refreshToken'],
  ])('with this content is malformed: %s', async (_name, value, cause) => {
    expect(await failure('refresh', json(200, value))).toMatchObject({ code: 'malformedResponse', details: { cause } })
  })

  it('in broken UTF-8 is malformed, because its tokens could be misread', async () => {
    const body = Buffer.from('{"token":"t","refreshToken":"\xff"}', 'latin1')
    expect(await failure('refresh', { status: 200, body })).toMatchObject({ code: 'malformedResponse' })
  })
})

describe('a refusal', () => {
  const said = { message: 'the server’s own words' }
  // biome-ignore format: a row a line reads as a table
  const rows: [Operation, Scripted, Failure['code'], string?][] = [
    ['login', json(401, said), 'rejected', said.message],
    ['login', html(401, { 'www-authenticate': 'Negotiate, basic realm="data"' }), 'rejected'],
    ['changePassword', json(401, said), 'sessionEnded', said.message],
    ['changePassword', json(409, { message: '', errors: { password: ['Too short', 'too old'] } }), 'passwordRefused', 'Too short too old'],
    ['changePassword', text(400, ' Too short.\n'), 'passwordRefused', 'Too short.'],
    ['changePassword', json(400, 'Too short.'), 'passwordRefused', 'Too short.'],
    ['changePassword', text(422, 'no', { 'content-type': 'application/octet-stream' }), 'malformedResponse'],
  ]
  it.each(rows)('of %s: %j means %s', async (operation, answer, code, serverText) => {
    const { details, ...told } = await failure(operation, answer)
    expect(told).toEqual(serverText === undefined ? { code } : { code, serverText })
    expect(details).toMatchObject({ operation, status: answer.status })
  })

  it('leaves out the service’s text if it is nested too deep', async () => {
    const body = `{"errors":${'['.repeat(20_000)}"deep"${']'.repeat(20_000)}}`
    const { serverText, code } = await failure('changePassword', { ...json(422, {}), body })
    expect({ serverText, code }).toEqual({ serverText: undefined, code: 'passwordRefused' })
  })

  it('is recognised even if its text isn’t valid UTF-8', async () => {
    const body = Buffer.from('{"error":"Ung\xfcltiges Token"}', 'latin1')
    const answer = { status: 400, headers: { 'content-type': 'application/json' }, body }
    expect(await failure('refresh', answer)).toMatchObject({ code: 'sessionEnded', serverText: 'Ungültiges Token' })
  })

  it('is recognised only if the response is complete', async () => {
    const long = { status: 401, headers: { 'content-type': 'application/json' }, body: 'x'.repeat(300 * 1024) }
    expect(await failure('refresh', long)).toMatchObject({ code: 'malformedResponse' })
  })
})

const seven = { 'retry-after': '7' }
// biome-ignore format: a row a line reads as a table
const rows: [string, Scripted, Omit<Failure, 'details'>, string?][] = [
  ['a page with 407', html(407), { code: 'proxyAuthenticationRequired' }],
  ['408', text(408), { code: 'unreachable' }, 'HTTP 408'],
  ['503', text(503, '', seven), { code: 'unreachable', retryAfter: 7 }, 'HTTP 503'],
  ['a page after a comment', { status: 403, body: '\ufeff\n <!-- portal --><?x?>\n<HTML lang="en">' }, { code: 'unreachable' }, 'HTML answer'],
  ['429 with long Retry-After', json(429, {}, { 'retry-after': '99999' }), { code: 'rateLimited', retryAfter: 3600 }],
  ['429 with a time by the server’s clock', json(429, {}, { 'retry-after': 'Sun, 06 Nov 1994 08:50:37 GMT', date: 'Sun, 06 Nov 1994 08:49:37 GMT' }), { code: 'rateLimited', retryAfter: 60 }],
  ['a redirect', text(302, '', { location: 'https://portal.test:8443/login?user=ana' }), { code: 'unreachable' }, 'redirect to https://portal.test:8443'],
]
it.each(rows)(
  'SECURITY: a token is rejected only if the service clearly refuses it, not by this response: %s',
  async (_name, answer, expected, cause) => {
    const { details, ...told } = await failure('refresh', answer)
    expect(told).toEqual(expected)
    expect(details).toEqual({
      operation: 'refresh',
      host: `127.0.0.1:${server.port}`,
      at: '2026-03-01T12:00:00.000Z',
      status: answer.status,
      ...(cause !== undefined && { cause }),
    })
  },
)

it.each(ALL)('SECURITY: secrets that a server repeats aren’t shown: %s', async (operation) => {
  const basic = Buffer.from(`ana:${PASSWORD}`).toString('base64')
  const sent = {
    login: [PASSWORD, basic],
    refresh: [REFRESH],
    logout: [ACCESS, REFRESH],
    changePassword: [ACCESS, NEW_PASSWORD],
  }[operation]
  const said = `You sent ${sent.join(' and ')}`
  for (const status of [200, 401, 422, 500]) {
    for (const body of [{ message: said }, { error: said }, { token: said }, { errors: { password: [said] } }, said]) {
      server.answers(json(status, body))
      expectWithout(await operations[operation](), sent)
    }
  }
})

it('an address is reached if any server responds there, and gets no credentials', async () => {
  server.answers(html(503))
  expect(await reach(testClient(), server.address)).toEqual(OK)
  expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  expect(await reach(testClient(), `http://127.0.0.1:${await freePort()}`)).toMatchObject({
    failure: { code: 'unreachable', details: { operation: 'connect', cause: 'ECONNREFUSED' } },
  })
})
