/** The agent does what its OpenAPI file says. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONNECTION_NAME, DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { GRANTS } from '../../contract/grants.ts'
import type { ConnectionView } from '../../contract/views.ts'
import { ask, EventListener } from '../../test/agent/client.ts'
import { OpenApi } from '../../test/agent/openapi.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { DEFAULT_MIN_VALIDITY, ENDPOINTS, LONGEST_MIN_VALIDITY, LONGEST_WAIT } from './parse-request.ts'
import { ERRORS, type ErrorCode } from './replies.ts'
import type { StatusView } from './status.ts'

const api = new OpenApi(new URL('../../docs/developers/agent.openapi.json', import.meta.url))
const JSON_TYPE = { 'content-type': 'application/json' }

let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent()
})
afterEach(() => rig.end())

const asTool = (method: string, path: string, headers: Record<string, string> = {}) =>
  // A request for a remote machine's socket must name the machine.
  ask(rig.socket, path === '/v1/remote' ? `${path}?host=build` : path, {
    method,
    headers: { ...JSON_TYPE, ...headers },
    body: path === '/v1/token/rejected' ? '{"token":"token-1"}' : undefined,
  })

test('the OpenAPI file has exactly the agent’s paths and methods', () => {
  expect(Object.fromEntries(api.operations.map(({ path, method }) => [path, method]))).toEqual(ENDPOINTS)
})

test('the OpenAPI file has exactly the agent’s errors, each with its status', () => {
  const { enum: codes } = api.follow(api.follow(api.schema('Error')['properties'])['error'])
  expect([...(codes as string[])].sort()).toEqual(Object.keys(ERRORS).sort())
  const ofPaths = api.operations.flatMap(({ responses }) => responses.flatMap(errorsOf))
  for (const { code, status } of ofPaths) expect([code, status]).toEqual([code, ERRORS[code][0]])
  const listed = new Set([...ofPaths.map(({ code }) => code), 'malformed_request', 'not_found'])
  expect([...listed].sort()).toEqual(Object.keys(ERRORS).sort())
})

function errorsOf({ status, content }: (typeof api.operations)[number]['responses'][number]) {
  if (status < 400) return []
  const [, narrowed] = (content.get('application/json')?.['allOf'] as unknown[] | undefined) ?? []
  const { enum: codes } = api.follow(api.follow(api.follow(narrowed)['properties'])['error'])
  return (codes as ErrorCode[]).map((code) => ({ code, status }))
}

test.each([
  ['signed_out', () => rig.source.signOut()],
  ['unavailable', () => rig.source.become({ kind: 'locked' })],
  ['turned_off', () => rig.agent.turnOff('user')],
] as const)('the response with the error %s is as documented, as JSON and as text', async (code, happens) => {
  await happens()
  const asJson = await asTool('GET', '/v1/token')
  expect(JSON.parse(asJson.body)).toEqual({ error: code, message: expect.any(String) })
  expect(api.problems(JSON.parse(asJson.body), api.schema('Error'))).toEqual([])
  expect(asJson.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  const asText = await asTool('GET', '/v1/token', { accept: 'text/plain' })
  expect([asText.status, asText.headers['content-type']]).toEqual([asJson.status, 'text/plain; charset=utf-8'])
  expect(asText.body).not.toMatch(/[\n{]/)
})

describe('successful responses', () => {
  const schemaOf = (path: string, type: string) => {
    const success = api.operations
      .find((operation) => operation.path === path)
      ?.responses.find(({ status }) => status === 200)
    const schema = success?.content.get(type)
    if (schema === undefined) throw new Error(`no ${type} at ${path}`)
    return schema
  }

  const successes = api.operations
    // Windows has no sockets for remote machines.
    .filter(({ path }) => process.platform !== 'win32' || path !== '/v1/remote')
    // The response with events doesn't end, so it has tests of its own.
    .filter(({ path }) => path !== '/v1/events')
    .flatMap(({ method, path, responses }) =>
      responses
        .filter(({ status }) => status === 200)
        .flatMap(({ content }) => [...content].map(([type, schema]) => ({ method, path, type, schema }))),
    )

  test.each(successes)('$method $path responds with $type as documented', async ({ method, path, type, schema }) => {
    rig.source.grant(HOUR, 'ana', 'token-2')
    const answer = await asTool(method, path, { accept: type })
    const isJson = type === 'application/json'
    expect([answer.status, answer.headers['content-type']]).toEqual([200, isJson ? type : `${type}; charset=utf-8`])
    expect(api.problems(isJson ? JSON.parse(answer.body) : answer.body, schema)).toEqual([])
  })

  test('a response with a token has all documented fields if the service’s address is known', async () => {
    const { view } = rig.shown
    const connection: ConnectionView = {
      baseAddress: 'https://data.example:8443/api/',
      host: 'data.example:8443',
      source: 'user',
      grants: [GRANTS.password],
    }
    rig.shown.view = { ...view, connection }
    rig.source.grant(HOUR, 'ana', 'token-3')
    const whole = JSON.parse((await asTool('GET', '/v1/token')).body)
    const expiresAt = Math.floor((rig.time.wall() + HOUR) / 1_000)
    expect(whole).toMatchObject({ token: 'token-3', expiresAt, origin: 'https://data.example:8443' })
    expect(new Set(Object.keys(whole))).toEqual(new Set(Object.keys(api.follow(api.schema('Token')['properties']))))
    expect(api.problems(whole, api.schema('Token'))).toEqual([])
    rig.shown.view = { ...rig.shown.view, connection: { ...connection, dataAddress: 'https://api.example/v1' } }
    rig.source.become(rig.source.tokenState)
    expect(JSON.parse((await asTool('GET', '/v1/token')).body)).toMatchObject({ origin: 'https://api.example' })
  })

  test.each([
    ['json', 'Token'],
    ['oauth', 'OAuthToken'],
    ['headers', 'Headers'],
    ['kubernetes', 'ExecCredential'],
  ])('a token in the format %s matches the documented schema %s', async (format, name) => {
    const answer = await asTool('GET', `/v1/token?format=${format}`, { accept: 'text/plain' })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
    expect(api.problems(JSON.parse(answer.body), api.schema(name))).toEqual([])
  })

  test('the token’s remaining life is computed for each request', async () => {
    const left = async () => JSON.parse((await asTool('GET', '/v1/token?format=oauth')).body).expires_in
    expect(await left()).toBe(3_600)
    rig.time.pass(90_500)
    expect(await left()).toBe(3_509)
  })

  test('the data of events match the documented schemas', async () => {
    const listener = new EventListener(rig.socket)
    expect(api.problems((await listener.next()).data, api.schema('Token'))).toEqual([])
    expect(listener.headers['content-type']).toBe('text/event-stream')
    rig.source.signOut()
    expect(api.problems((await listener.next()).data, api.schema('Error'))).toEqual([])
    listener.hangUp()
  })

  const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
  const token = { receivedAt: 0, expiresAt: 3_600_500, refreshesAt: 3_000_000 }
  const failure = { code: 'unreachable' } as const
  const full = { account, token, refresh: 'idle', kept: 'unsaved', failure, retryAt: 5 } as const
  const SESSIONS: StatusView['session'][] = [
    { kind: 'notConfigured' },
    { kind: 'restoring' },
    { kind: 'sessionUnread', why: 'locked' },
    { kind: 'sessionUnread', why: 'unavailable' },
    { kind: 'sessionUnread', why: 'missing' },
    { kind: 'unknownVersion' },
    { kind: 'signedOut', revocation: 'none' },
    { kind: 'signingIn' },
    { kind: 'active', ...full, kept: 'keychain' },
    { kind: 'active', ...full, end: { kind: 'never' } },
    { kind: 'active', ...full, end: { kind: 'notBefore', at: 5 } },
    { kind: 'active', ...full, end: { kind: 'expected', at: 5, saidBy: 'earlierSessions' } },
    { kind: 'active', ...full, end: { kind: 'expected', at: 8e15, saidBy: 'provider' } },
    { kind: 'unreachable', ...full, kept: 'memory' },
    { kind: 'ending', ...full },
    { kind: 'expired', ...full },
  ]
  const view = (session: StatusView['session']): StatusView => ({
    version: '1.2.3',
    session,
    connection: {
      baseAddress: 'https://data.example/',
      host: 'data.example',
      source: 'user',
      grants: [GRANTS.password],
    },
  })

  test('the statuses of all session states together have exactly the documented fields and values', async () => {
    const schema = schemaOf('/v1/status', 'application/json')
    const CLOSED = ['state', 'kept', 'sessionEnd', 'outlook'] as const
    const fields = new Set<string>()
    const seen = Object.fromEntries(CLOSED.map((name) => [name, new Set<unknown>()]))
    for (const session of SESSIONS) {
      rig.shown.view = view(session)
      const status = JSON.parse((await asTool('GET', '/v1/status?until=8h')).body)
      expect(api.problems(status, schema)).toEqual([])
      for (const name of Object.keys(status)) fields.add(name)
      for (const name of CLOSED) if (status[name] !== undefined) seen[name]?.add(status[name])
    }
    const properties = api.follow(schema['properties'])
    expect(fields).toEqual(new Set(Object.keys(properties)))
    const listed = CLOSED.map((name) => [name, new Set(api.follow(properties[name])['enum'] as unknown[])])
    expect(seen).toEqual(Object.fromEntries(listed))
  })
})

const OWN_PARAMETER: Record<string, string[]> = {
  '/v1/status': ['until'],
  '/v1/sign-out': ['all'],
  '/v1/remote': ['host'],
}

test('the parameters have the documented names, ranges and defaults', () => {
  const parameters = api.operations.flatMap(({ path, parameters }) => parameters.map((each) => ({ path, ...each })))
  const namesAt = (at: string) => parameters.filter(({ path }) => path === at).map(({ name }) => name)
  expect(namesAt('/v1/token')).toEqual(['min_validity', 'strict', 'wait', 'connection', 'format'])
  for (const path of Object.keys(ENDPOINTS).slice(1))
    expect(namesAt(path)).toEqual([...(OWN_PARAMETER[path] ?? []), 'connection'])
  const schemaOf = (named: string) => parameters.find(({ name }) => name === named)?.schema
  const seconds = { type: 'integer', minimum: 0 }
  expect(schemaOf('min_validity')).toEqual({ ...seconds, maximum: LONGEST_MIN_VALIDITY, default: DEFAULT_MIN_VALIDITY })
  expect(schemaOf('wait')).toEqual({ ...seconds, maximum: LONGEST_WAIT, default: 0 })
  for (const { schema } of parameters.filter(({ name }) => name === 'connection'))
    expect(schema).toEqual({ type: 'string', pattern: CONNECTION_NAME.source, default: DEFAULT_CONNECTION })
})

test('the agent refuses each report of a rejected token that the OpenAPI file forbids', async () => {
  const schema = api.operations.find(({ path }) => path === '/v1/token/rejected')?.body ?? {}
  const report = async (text: string, headers = JSON_TYPE) =>
    (await ask(rig.socket, '/v1/token/rejected', { method: 'POST', headers, body: text })).status
  for (const text of ['{"token":""}', '{"token":5}', '[]', '{"token":"a","b":1}']) {
    expect(api.problems(JSON.parse(text), schema), text).not.toEqual([])
    expect(await report(text), text).toBe(400)
  }
  expect(await report('{"token":"a"}', { 'content-type': 'text/plain' })).toBe(415)
  expect(rig.source.refreshes).toBe(0)
})
